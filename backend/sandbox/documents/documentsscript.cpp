#include "backend/sandbox/documents/documentsscript.h"

#include "backend/sandbox/documents/documentsrun.h"
#include "backend/sandbox/nservicebus/nservicebusheaders.h"
#include "backend/sandbox/scenariofile.h"

#include <QDir>

namespace sandbox {

using core::Result;
using records::JsonNode;
using records::JsonObject;

namespace {

class DocumentsScript final : public ScenarioScript
{
public:
    explicit DocumentsScript(DocumentsSettings settings)
        : m_settings(std::move(settings))
    {
    }

    [[nodiscard]] QString name() const override { return QStringLiteral("documents"); }
    [[nodiscard]] QStringList errorQueues() const override { return {m_settings.returning.errorQueue}; }
    [[nodiscard]] std::optional<recovery::Policy> returnPolicy() const override { return m_settings.returning.policy; }
    [[nodiscard]] core::Milliseconds longest() const override { return std::chrono::hours(24); }
    [[nodiscard]] bool continues() const override { return true; }
    [[nodiscard]] core::TimePoint start(const QString &folder,
                                        const std::optional<PostgresPlace> &database) const override
    {
        const core::TimePoint fresh = ScenarioScript::start(folder, database);
        return folder.isEmpty()
                   ? fresh
                   : DocumentStore::lastSaveIn(QDir(folder).filePath(documentsFile.toString())).value_or(fresh);
    }
    [[nodiscard]] int mostMessages() const override
    {
        return messagesWithin(longest(), core::Milliseconds{1000 / m_settings.perSecond});
    }
    [[nodiscard]] QList<localbroker::QueueSettings> queues() const override
    {
        return queuesOfEndpoints({documentsQueue.toString(), m_settings.returning.errorQueue});
    }
    [[nodiscard]] std::unique_ptr<ScenarioRun> makeRun(ScenarioContext context) const override
    {
        return std::make_unique<DocumentsRun>(m_settings, std::move(context));
    }

private:
    DocumentsSettings m_settings;
};

Result<> readNumbers(const JsonObject &object, DocumentsSettings &settings)
{
    int takes = int(settings.dispatch.takes.count());
    TRY(reading::number(object, "messages", 1, messageLimit, settings.messages));
    TRY(reading::number(object, "per_second", 1, 1000, settings.perSecond));
    TRY(reading::number(object, "articles", 1, 1000, settings.articles));
    TRY(reading::number(object, "takes_ms", 0, 60000, takes));
    TRY(reading::duration(object, "sweep", settings.sweep));
    settings.dispatch.takes = core::Milliseconds{takes};
    return {};
}

} // namespace

Result<std::shared_ptr<const ScenarioScript>> documentsScriptFrom(const JsonNode &root)
{
    TRY(const JsonObject object,
        root.object({QStringLiteral("scenario"), QStringLiteral("messages"), QStringLiteral("per_second"),
                     QStringLiteral("articles"), QStringLiteral("takes_ms"), QStringLiteral("conflicts"),
                     QStringLiteral("offline"), QStringLiteral("sweep"), QStringLiteral("faults"),
                     QStringLiteral("return")}));
    DocumentsSettings settings;
    TRY(readNumbers(object, settings));
    TRY(const JsonNode conflicts, object.need(QLatin1String("conflicts")));
    TRY(settings.dispatch.conflicts, reading::policy(conflicts));
    TRY(const JsonNode offline, object.need(QLatin1String("offline")));
    TRY(const JsonObject endpoint, offline.object({QStringLiteral("policy")}));
    TRY(const JsonNode policy, endpoint.need(QLatin1String("policy")));
    TRY(settings.offline, reading::policy(policy));
    if (const std::optional<JsonNode> faults = object.find(QLatin1String("faults"))) {
        const QList<Fault::Kind> kinds = Fault::ofAttempts()
                                         << Fault::Kind::DiesBeforeQueueing << Fault::Kind::DiesAfterHandling
                                         << Fault::Kind::Contended;
        TRY(settings.dispatch.faults, reading::faults(*faults, kinds));
    }
    TRY(const JsonNode returning, object.need(QLatin1String("return")));
    TRY(settings.returning, reading::returning(returning));
    return std::make_shared<DocumentsScript>(std::move(settings));
}

} // namespace sandbox
