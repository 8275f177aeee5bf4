#include "backend/sandbox/orders/ordersscript.h"

#include "backend/sandbox/nservicebus/nservicebusheaders.h"
#include "backend/sandbox/orders/ordersrun.h"
#include "backend/sandbox/scenariofile.h"
#include "backend/sandbox/text.h"

#include <algorithm>

namespace sandbox {

using core::Result;
using records::JsonNode;
using records::JsonObject;

namespace {

constexpr qsizetype mostEndpoints = 50;

class OrdersScript final : public ScenarioScript
{
public:
    explicit OrdersScript(OrdersSettings settings)
        : m_settings(std::move(settings))
    {
    }

    [[nodiscard]] QString name() const override { return QStringLiteral("orders"); }
    [[nodiscard]] QStringList errorQueues() const override { return {m_settings.returning.errorQueue}; }
    [[nodiscard]] std::optional<recovery::Policy> returnPolicy() const override { return m_settings.returning.policy; }
    [[nodiscard]] core::Milliseconds longest() const override { return std::chrono::hours(24); }
    [[nodiscard]] int mostMessages() const override
    {
        return messagesWithin(longest(), core::Milliseconds{1000 / m_settings.perSecond});
    }

    [[nodiscard]] QList<localbroker::QueueSettings> queues() const override
    {
        QStringList names = errorQueues();
        for (const OrdersEndpoint &endpoint : m_settings.endpoints)
            names.append(endpoint.settings.queue);
        if (m_settings.publishes())
            names.append(eventsQueue.toString());
        return queuesOfEndpoints(names);
    }

    [[nodiscard]] std::unique_ptr<ScenarioRun> makeRun(ScenarioContext context) const override
    {
        return std::make_unique<OrdersRun>(m_settings, std::move(context));
    }

private:
    OrdersSettings m_settings;
};

Result<> readWord(const JsonObject &object, const char *field, const QStringList &words, int &place)
{
    if (const std::optional<JsonNode> node = object.find(QLatin1StringView(field))) {
        TRY(place, node->word(words));
    }
    return {};
}

Result<> readModes(const JsonObject &object, OrdersEndpoint &endpoint)
{
    int transactions = 0;
    int counter = 0;
    TRY(readWord(object, "transactions", {QStringLiteral("receive_only"), QStringLiteral("none")}, transactions));
    TRY(readWord(object, "delivery_counter", {QStringLiteral("broker"), QStringLiteral("memory")}, counter));
    TRY(reading::number(object, "instances", 1, 100, endpoint.instances));
    TRY(reading::text(object, "publishes", endpoint.publishes));
    endpoint.settings.transactions = Transactions(transactions);
    endpoint.settings.countsInMemory = counter == 1;
    return {};
}

Result<> readSettings(const JsonObject &object, OrdersEndpoint &endpoint)
{
    EndpointSettings &settings = endpoint.settings;
    TRY(const JsonNode name, object.need(QLatin1String("name")));
    TRY(settings.name, name.text());
    TRY(const JsonNode queue, object.need(QLatin1String("queue")));
    TRY(settings.queue, queue.text());
    TRY(const JsonNode type, object.need(QLatin1String("type")));
    TRY(endpoint.messageType, type.text());
    TRY(reading::number(object, "share", 1, 1000, endpoint.share));
    TRY(reading::number(object, "concurrency", 1, 100, settings.concurrency));
    int takes = int(settings.takes.count());
    TRY(reading::number(object, "takes_ms", 0, 60000, takes));
    settings.takes = core::Milliseconds{takes};
    settings.errorQueue = errorQueue.toString();
    return readModes(object, endpoint);
}

Result<OrdersEndpoint> endpointFrom(const JsonNode &node)
{
    TRY(const JsonObject object,
        node.object({QStringLiteral("name"), QStringLiteral("queue"), QStringLiteral("type"), QStringLiteral("share"),
                     QStringLiteral("concurrency"), QStringLiteral("takes_ms"), QStringLiteral("policy"),
                     QStringLiteral("faults"), QStringLiteral("transactions"), QStringLiteral("instances"),
                     QStringLiteral("delivery_counter"), QStringLiteral("publishes")}));
    OrdersEndpoint endpoint;
    TRY(readSettings(object, endpoint));
    TRY(const JsonNode policy, object.need(QLatin1String("policy")));
    TRY(endpoint.settings.policy, reading::policy(policy));
    if (const std::optional<JsonNode> faults = object.find(QLatin1String("faults"))) {
        TRY(endpoint.faults, reading::faults(*faults, Fault::ofAttempts() << Fault::Kind::BadJson));
    }
    return endpoint;
}

} // namespace

bool OrdersSettings::publishes() const
{
    return std::any_of(endpoints.cbegin(), endpoints.cend(),
                       [](const OrdersEndpoint &one) { return !one.publishes.isEmpty(); });
}

Result<std::shared_ptr<const ScenarioScript>> ordersScriptFrom(const JsonNode &root)
{
    TRY(const JsonObject object,
        root.object({QStringLiteral("scenario"), QStringLiteral("messages"), QStringLiteral("per_second"),
                     QStringLiteral("endpoints"), QStringLiteral("return")}));
    OrdersSettings settings;
    TRY(reading::number(object, "messages", 1, messageLimit, settings.messages));
    TRY(reading::number(object, "per_second", 1, 1000, settings.perSecond));
    TRY(const JsonNode list, object.need(QLatin1String("endpoints")));
    TRY(const QList<JsonNode> endpoints, list.items(mostEndpoints));
    for (const JsonNode &node : endpoints) {
        TRY(const OrdersEndpoint endpoint, endpointFrom(node));
        settings.endpoints.append(endpoint);
    }
    if (settings.endpoints.isEmpty())
        return list.wrong(Text::tr("At least one endpoint is needed."));
    TRY(const JsonNode returning, object.need(QLatin1String("return")));
    TRY(settings.returning, reading::returning(returning));
    return std::make_shared<OrdersScript>(std::move(settings));
}

} // namespace sandbox
