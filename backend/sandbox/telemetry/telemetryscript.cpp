#include "backend/sandbox/telemetry/telemetryscript.h"

#include "backend/sandbox/scenariofile.h"
#include "backend/sandbox/telemetry/telemetryrun.h"
#include "backend/sandbox/text.h"

namespace sandbox {

using core::Result;
using records::JsonNode;
using records::JsonObject;

namespace {

class TelemetryScript final : public ScenarioScript
{
public:
    explicit TelemetryScript(TelemetrySettings settings)
        : m_settings(std::move(settings))
    {
    }

    [[nodiscard]] QString name() const override { return QStringLiteral("telemetry"); }
    [[nodiscard]] QStringList errorQueues() const override
    {
        return {telemetryQueue.toString() + QStringLiteral("/$DeadLetterQueue")};
    }
    [[nodiscard]] core::Milliseconds longest() const override { return std::chrono::hours(24); }
    [[nodiscard]] int mostMessages() const override
    {
        return messagesWithin(longest(), core::Milliseconds{1000 / m_settings.perSecond});
    }
    [[nodiscard]] QList<localbroker::QueueSettings> queues() const override
    {
        localbroker::QueueSettings queue;
        queue.name = telemetryQueue.toString();
        queue.lockDuration = m_settings.lock;
        queue.maxDeliveryCount = m_settings.maxDeliveryCount;
        queue.defaultTimeToLive = m_settings.timeToLive;
        queue.deadLetteringOnExpiration = true;
        return {queue};
    }
    [[nodiscard]] std::unique_ptr<ScenarioRun> makeRun(ScenarioContext context) const override
    {
        return std::make_unique<TelemetryRun>(m_settings, std::move(context));
    }

private:
    TelemetrySettings m_settings;
};

Result<TelemetryConsumer> consumerFrom(const JsonNode &node)
{
    TRY(const JsonObject object,
        node.object({QStringLiteral("name"), QStringLiteral("prefetch"), QStringLiteral("takes_ms")}));
    TelemetryConsumer consumer;
    TRY(const JsonNode name, object.need(QLatin1String("name")));
    TRY(consumer.name, name.text());
    int takes = int(consumer.takes.count());
    TRY(reading::number(object, "prefetch", 1, 500, consumer.prefetch));
    TRY(reading::number(object, "takes_ms", 1, 60000, takes));
    consumer.takes = core::Milliseconds{takes};
    return consumer;
}

Result<> readQueue(const JsonObject &object, TelemetrySettings &settings)
{
    constexpr int mostDeliveries = 2000;
    TRY(reading::duration(object, "time_to_live", settings.timeToLive));
    TRY(reading::duration(object, "lock", settings.lock));
    TRY(reading::number(object, "max_delivery_count", 1, mostDeliveries, settings.maxDeliveryCount));
    if (settings.lock < std::chrono::seconds(1) || settings.lock > std::chrono::minutes(5))
        return records::wrongAt(QStringLiteral("lock"), Text::tr("A lock lasts from 1s to 5m."));
    if (settings.timeToLive < std::chrono::seconds(1))
        return records::wrongAt(QStringLiteral("time_to_live"), Text::tr("The time to live must be at least 1s."));
    return {};
}

} // namespace

Result<std::shared_ptr<const ScenarioScript>> telemetryScriptFrom(const JsonNode &root)
{
    constexpr qsizetype mostConsumers = 20;
    TRY(const JsonObject object,
        root.object({QStringLiteral("scenario"), QStringLiteral("messages"), QStringLiteral("per_second"),
                     QStringLiteral("time_to_live"), QStringLiteral("lock"), QStringLiteral("max_delivery_count"),
                     QStringLiteral("consumers"), QStringLiteral("late"), QStringLiteral("faults")}));
    TelemetrySettings settings;
    TRY(reading::number(object, "messages", 1, messageLimit, settings.messages));
    TRY(reading::number(object, "per_second", 1, 1000, settings.perSecond));
    TRY(readQueue(object, settings));
    TRY(const JsonNode list, object.need(QLatin1String("consumers")));
    TRY(const QList<JsonNode> consumers, list.items(mostConsumers));
    for (const JsonNode &node : consumers) {
        TRY(const TelemetryConsumer consumer, consumerFrom(node));
        settings.consumers.append(consumer);
    }
    if (settings.consumers.isEmpty())
        return list.wrong(Text::tr("At least one consumer is needed."));
    if (const std::optional<JsonNode> late = object.find(QLatin1String("late"))) {
        TRY(settings.late, reading::share(*late));
    }
    if (const std::optional<JsonNode> faults = object.find(QLatin1String("faults"))) {
        TRY(settings.faults, reading::faults(*faults, Fault::ofAttempts() << Fault::Kind::BadJson));
    }
    return std::make_shared<TelemetryScript>(std::move(settings));
}

} // namespace sandbox
