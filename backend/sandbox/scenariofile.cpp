#include "backend/sandbox/scenariofile.h"

#include "backend/core/text/editdistance.h"
#include "backend/recovery/files/policyfile.h"
#include "backend/sandbox/documents/documentsscript.h"
#include "backend/sandbox/nservicebus/nservicebusheaders.h"
#include "backend/sandbox/orders/ordersscript.h"
#include "backend/sandbox/reports/reportsscript.h"
#include "backend/sandbox/telemetry/telemetryscript.h"
#include "backend/sandbox/text.h"

#include <QFile>

#include <algorithm>

// The macro declares a function and must be used outside of all namespaces.
static void registerScenarios()
{
    Q_INIT_RESOURCE(scenarios);
}

namespace sandbox {

using core::Result;
using records::JsonNode;
using records::JsonObject;
using Script = std::shared_ptr<const ScenarioScript>;

namespace {

constexpr qsizetype longestScenarioFile = 256 * 1024; // bytes

Result<QByteArray> contentOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return core::fail(core::ErrorKind::NotFound,
                          Text::tr("The scenario file %1 cannot be read: %2.").arg(path, file.errorString()));
    }
    return file.read(longestScenarioFile + 1);
}

Result<JsonNode> checked(const QByteArray &json)
{
    if (json.size() > longestScenarioFile)
        return records::wrongAt({}, Text::tr("A scenario can have at most %1 bytes.").arg(longestScenarioFile));
    if (!json.isValidUtf8())
        return records::wrongAt({}, Text::tr("The scenario is not valid UTF-8. Save it as UTF-8."));
    if (const std::optional<qsizetype> fault = records::jsonFault(json)) {
        const records::TextPlace place = records::placeIn(json, *fault);
        return records::wrongAt({}, Text::tr("The scenario is not valid JSON: see line %1, character %2.")
                                        .arg(QString::number(place.line), QString::number(place.column)));
    }
    return JsonNode(json);
}

// The name of the scenario, read before its other fields are known.
Result<QString> kindOf(const JsonNode &root)
{
    using Member = std::pair<QString, JsonNode>;
    constexpr qsizetype mostFields = 100;
    TRY(const QList<Member> members, root.entries(mostFields));
    for (const Member &member : members) {
        if (member.first != QLatin1String("scenario"))
            continue;
        TRY(const QString name, member.second.text());
        if (scenarioNames().contains(name))
            return name;
        return records::wrongAt(
            QStringLiteral("scenario"),
            Text::tr("\"%1\" is unknown here. Use %2.").arg(records::shown(name), records::oneOf(scenarioNames())));
    }
    return records::wrongAt(QStringLiteral("scenario"), Text::tr("This field is missing."));
}

QString wordOf(Fault::Kind kind)
{
    switch (kind) {
    case Fault::Kind::BadJson:
        return QStringLiteral("bad_json");
    case Fault::Kind::Outage:
        return QStringLiteral("outage");
    case Fault::Kind::FailsFirst:
        return QStringLiteral("fails_first");
    case Fault::Kind::Always:
        return QStringLiteral("always");
    case Fault::Kind::DiesBeforeQueueing:
        return QStringLiteral("dies_before_queueing");
    case Fault::Kind::DiesAfterHandling:
        return QStringLiteral("dies_after_handling");
    case Fault::Kind::Contended:
        return QStringLiteral("contended");
    }
    Q_UNREACHABLE();
}

Result<Fault> faultFrom(const JsonNode &node, const QList<Fault::Kind> &kinds)
{
    QStringList words;
    for (const Fault::Kind kind : kinds)
        words.append(wordOf(kind));
    TRY(const JsonObject object,
        node.object({QStringLiteral("fault"), QStringLiteral("share"), QStringLiteral("times"), QStringLiteral("from"),
                     QStringLiteral("to"), QStringLiteral("exception"), QStringLiteral("message"),
                     QStringLiteral("http_status"), QStringLiteral("at")}));
    Fault fault;
    TRY(const JsonNode kind, object.need(QLatin1String("fault")));
    TRY(const int place, kind.word(words));
    fault.kind = kinds.at(place);
    if (const std::optional<JsonNode> share = object.find(QLatin1String("share"))) {
        TRY(fault.share, reading::share(*share));
    }
    TRY(reading::number(object, "times", 1, 1000, fault.times));
    TRY(reading::duration(object, "from", fault.from));
    TRY(reading::duration(object, "to", fault.to));
    TRY(reading::text(object, "exception", fault.exception));
    TRY(reading::text(object, "message", fault.message));
    TRY(reading::number(object, "http_status", 100, 599, fault.httpStatus));
    QString frame;
    TRY(reading::text(object, "at", frame));
    if (!frame.isEmpty())
        fault.stackTrace = QStringLiteral("\n   at ") + frame;
    if (fault.kind == Fault::Kind::Outage && fault.to <= fault.from)
        return node.wrong(Text::tr("An outage needs \"from\" and a later \"to\"."));
    if (Fault::ofAttempts().contains(fault.kind) && fault.exception.isEmpty())
        return node.wrong(Text::tr("This fault needs an \"exception\"."));
    return fault;
}

} // namespace

namespace reading {

Result<int> share(const JsonNode &node)
{
    TRY(const QString text, node.text());
    bool good = false;
    const double percent = text.endsWith(QLatin1Char('%')) ? text.chopped(1).toDouble(&good) : 0;
    if (!good || percent < 0 || percent > 100)
        return node.wrong(Text::tr("The value must be a share like \"2%\" or \"0.5%\"."));
    return qRound(percent * 100);
}

Result<QList<Fault>> faults(const JsonNode &list, const QList<Fault::Kind> &kinds)
{
    constexpr qsizetype most = 50;
    TRY(const QList<JsonNode> items, list.items(most));
    QList<Fault> found;
    for (const JsonNode &item : items) {
        TRY(const Fault fault, faultFrom(item, kinds));
        found.append(fault);
    }
    return found;
}

Result<recovery::Policy> policy(const JsonNode &node)
{
    const Result<recovery::Policy> read = recovery::policyFrom(node.json());
    if (!read)
        return node.wrong(read.error().message);
    return read;
}

Result<ReturnSettings> returning(const JsonNode &node)
{
    TRY(const JsonObject object, node.object({QStringLiteral("every"), QStringLiteral("policy")}));
    ReturnSettings settings;
    settings.errorQueue = errorQueue.toString();
    TRY(duration(object, "every", settings.every));
    if (settings.every < std::chrono::seconds(1))
        return node.wrong(Text::tr("\"every\" must be at least 1s."));
    TRY(const JsonNode policyNode, object.need(QLatin1String("policy")));
    TRY(settings.policy, policy(policyNode));
    return settings;
}

Result<> number(const JsonObject &object, const char *field, int least, int most, int &value)
{
    if (const std::optional<JsonNode> node = object.find(QLatin1StringView(field))) {
        TRY(value, node->number(least, most));
    }
    return {};
}

Result<> text(const JsonObject &object, const char *field, QString &value)
{
    if (const std::optional<JsonNode> node = object.find(QLatin1StringView(field))) {
        TRY(value, node->text());
    }
    return {};
}

Result<> duration(const JsonObject &object, const char *field, core::Milliseconds &value)
{
    if (const std::optional<JsonNode> node = object.find(QLatin1StringView(field))) {
        TRY(value, node->duration());
    }
    return {};
}

} // namespace reading

QStringList scenarioNames()
{
    return {QStringLiteral("orders"), QStringLiteral("telemetry"), QStringLiteral("reports"),
            QStringLiteral("documents")};
}

int messagesWithin(core::Milliseconds longest, core::Milliseconds pause)
{
    const qint64 most = longest.count() / 2 / std::max<qint64>(pause.count(), 1);
    return int(std::clamp<qint64>(most, 1, messageLimit));
}

QList<localbroker::QueueSettings> queuesOfEndpoints(const QStringList &names)
{
    constexpr int mostDeliveries = 2000; // the most that the broker allows
    QList<localbroker::QueueSettings> queues;
    for (const QString &name : names) {
        localbroker::QueueSettings queue;
        queue.name = name;
        queue.maxDeliveryCount = mostDeliveries;
        queues.append(queue);
    }
    return queues;
}

Result<Script> scenarioFrom(const QByteArray &json)
{
    TRY(const JsonNode root, checked(json));
    TRY(const QString kind, kindOf(root));
    if (kind == QLatin1String("orders"))
        return ordersScriptFrom(root);
    if (kind == QLatin1String("reports"))
        return reportsScriptFrom(root);
    return kind == QLatin1String("documents") ? documentsScriptFrom(root) : telemetryScriptFrom(root);
}

Result<Script> loadScenario(const QString &nameOrFile, std::optional<int> messages)
{
    const bool isFile = nameOrFile.endsWith(QLatin1String(".json"));
    if (!isFile && !scenarioNames().contains(nameOrFile)) {
        const QString nearest = core::nearestOf(nameOrFile, scenarioNames());
        const QString hint = nearest.isEmpty() ? QString() : Text::tr(" Did you mean %1?").arg(nearest);
        return core::fail(
            core::ErrorKind::NotFound,
            Text::tr("Unknown scenario '%1'.%2 Available: %3, or the path of a file that ends with .json.")
                .arg(records::shown(nameOrFile), hint, scenarioNames().join(QStringLiteral(", "))));
    }
    registerScenarios();
    const QString path = isFile ? nameOrFile : QStringLiteral(":/scenarios/%1.json").arg(nameOrFile);
    TRY(const QByteArray json, contentOf(path));
    Result<Script> script = scenarioFrom(json);
    if (!script) {
        script.error().message = QStringLiteral("%1: %2").arg(path, script.error().message);
        return script;
    }
    const int most = (*script)->mostMessages();
    if (messages.value_or(1) > most) {
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("The scenario %1 can have at most %2 messages, not %3.")
                              .arg(nameOrFile, QString::number(most), QString::number(*messages)));
    }
    return script;
}

} // namespace sandbox
