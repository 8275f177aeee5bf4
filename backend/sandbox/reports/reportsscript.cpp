#include "backend/sandbox/reports/reportsscript.h"

#include "backend/core/time/systemclock.h"
#include "backend/sandbox/reports/reportsrun.h"
#include "backend/sandbox/scenariofile.h"
#include "backend/sandbox/text.h"

#include <QDir>

namespace sandbox {

using core::Result;
using records::JsonNode;
using records::JsonObject;

namespace {

class ReportsScript final : public ScenarioScript
{
public:
    explicit ReportsScript(ReportsSettings settings)
        : m_settings(std::move(settings))
    {
    }

    [[nodiscard]] QString name() const override { return QStringLiteral("reports"); }
    [[nodiscard]] QStringList errorQueues() const override { return {m_settings.poisonQueue()}; }
    [[nodiscard]] QString pipelineFile() const override { return sandbox::pipelineFile.toString(); }
    [[nodiscard]] core::Milliseconds longest() const override { return std::chrono::hours(24 * 30); }
    [[nodiscard]] int mostMessages() const override { return messagesWithin(longest(), m_settings.every); }
    [[nodiscard]] bool continues() const override { return true; }

    // Yesterday at midnight: the end is in the past, and so near that the queries for overdue tasks find what is stuck.
    [[nodiscard]] core::TimePoint start(const QString &folder,
                                        const std::optional<PostgresPlace> &database) const override
    {
        const auto today = std::chrono::floor<std::chrono::days>(core::SystemClock().now());
        const core::TimePoint fresh = core::TimePoint{today} - std::chrono::hours(24);
        if (folder.isEmpty() && !database)
            return fresh;
        return TaskTable::lastStepIn({QDir(folder).filePath(pipelineFile()), database}).value_or(fresh);
    }

    [[nodiscard]] QList<localbroker::QueueSettings> queues() const override
    {
        return queuesOfEndpoints(
            {processQueue.toString(), batchQueue.toString(), sendQueue.toString(), m_settings.poisonQueue()});
    }

    [[nodiscard]] std::unique_ptr<ScenarioRun> makeRun(ScenarioContext context) const override
    {
        return std::make_unique<ReportsRun>(m_settings, std::move(context));
    }

private:
    ReportsSettings m_settings;
};

Result<> readFaults(const JsonObject &object, const char *field, QList<Fault> &faults,
                    const QList<Fault::Kind> &kinds = Fault::ofAttempts())
{
    if (const std::optional<JsonNode> list = object.find(QLatin1StringView(field))) {
        TRY(faults, reading::faults(*list, kinds));
    }
    return {};
}

Result<ReportReceiver> receiverFrom(const JsonNode &node)
{
    TRY(const JsonObject object, node.object({QStringLiteral("name"), QStringLiteral("share"), QStringLiteral("timing"),
                                              QStringLiteral("max_reports"), QStringLiteral("splits"),
                                              QStringLiteral("batch_faults"), QStringLiteral("faults")}));
    ReportReceiver receiver;
    TRY(const JsonNode name, object.need(QLatin1String("name")));
    TRY(receiver.name, name.text());
    if (receiver.name.contains(u'&'))
        return name.wrong(Text::tr("A receiver's name cannot contain \"&\": it separates the fields of an event."));
    TRY(reading::number(object, "share", 1, 1000, receiver.share));
    TRY(reading::number(object, "max_reports", 1, 10000, receiver.maxReports));
    if (const std::optional<JsonNode> splits = object.find(QLatin1String("splits"))) {
        receiver.splits = splits->json() == "true";
        if (!receiver.splits && splits->json() != "false")
            return splits->wrong(Text::tr("It must be true or false."));
    }
    if (const std::optional<JsonNode> timing = object.find(QLatin1String("timing"))) {
        TRY(receiver.timing, reading::policy(*timing));
        if (receiver.timing->schedule.kind != recovery::Schedule::Kind::Cadence)
            return timing->wrong(Text::tr("The schedule of a receiver must be a cadence."));
    }
    // Each batch is another one, so it has no first attempt.
    TRY(readFaults(object, "batch_faults", receiver.batchFaults, {Fault::Kind::Outage, Fault::Kind::Always}));
    TRY(readFaults(object, "faults", receiver.faults));
    return receiver;
}

Result<> readSteps(const JsonObject &object, ReportsSettings &settings)
{
    const QString policyField = QStringLiteral("policy");
    const QString faultsField = QStringLiteral("faults");
    if (const std::optional<JsonNode> receive = object.find(QLatin1String("receive"))) {
        TRY(const JsonObject step, receive->object({faultsField}));
        TRY(readFaults(step, "faults", settings.receiveFaults));
    }
    TRY(const JsonNode process, object.need(QLatin1String("process")));
    TRY(const JsonObject processStep, process.object({policyField, faultsField}));
    TRY(const JsonNode processPolicy, processStep.need(QLatin1String("policy")));
    TRY(settings.process, reading::policy(processPolicy));
    if (settings.poisonQueue().isEmpty())
        return processPolicy.wrong(Text::tr("\"exhausted\" must move what is given up to a queue."));
    TRY(readFaults(processStep, "faults", settings.processFaults));
    TRY(const JsonNode send, object.need(QLatin1String("send")));
    TRY(const JsonObject sendStep, send.object({policyField, faultsField}));
    TRY(readFaults(sendStep, "faults", settings.sendFaults));
    TRY(const JsonNode sendPolicy, sendStep.need(QLatin1String("policy")));
    TRY(settings.send, reading::policy(sendPolicy));
    return {};
}

} // namespace

Result<std::shared_ptr<const ScenarioScript>> reportsScriptFrom(const JsonNode &root)
{
    constexpr qsizetype mostReceivers = 50;
    TRY(const JsonObject object,
        root.object({QStringLiteral("scenario"), QStringLiteral("messages"), QStringLiteral("every"),
                     QStringLiteral("receive"), QStringLiteral("process"), QStringLiteral("send"),
                     QStringLiteral("receivers")}));
    ReportsSettings settings;
    TRY(reading::number(object, "messages", 1, messageLimit, settings.messages));
    TRY(reading::duration(object, "every", settings.every));
    TRY(readSteps(object, settings));
    TRY(const JsonNode list, object.need(QLatin1String("receivers")));
    TRY(const QList<JsonNode> receivers, list.items(mostReceivers));
    for (const JsonNode &node : receivers) {
        TRY(const ReportReceiver receiver, receiverFrom(node));
        settings.receivers.append(receiver);
    }
    if (settings.receivers.isEmpty())
        return list.wrong(Text::tr("At least one receiver is needed."));
    return std::make_shared<ReportsScript>(std::move(settings));
}

} // namespace sandbox
