#include "backend/sandbox/orders/ordersrun.h"

#include "backend/sandbox/dice.h"
#include "backend/sandbox/messagemarks.h"
#include "backend/sandbox/nservicebus/nservicebusheaders.h"
#include "backend/sandbox/orderbody.h"

#include <QJsonDocument>

namespace sandbox {

namespace {

enum OrderRoll : quint64 { EndpointRoll = 1, OrderIdRoll, ConversationRoll, BodyRoll };

constexpr core::Milliseconds pauseAfterTrouble{1000};
constexpr core::Milliseconds longestEventPause{5000}; // the scenario ends when all events have arrived

// What NServiceBus throws when it cannot read a body: no retry helps (NServiceBus, "Unrecoverable exceptions").
HandlerFailure unreadable(const QString &id)
{
    HandlerFailure failure;
    failure.what.exceptionType = QStringLiteral("NServiceBus.MessageDeserializationException");
    failure.what.message =
        QStringLiteral("An error occurred while attempting to extract logical messages from incoming "
                       "physical message %1")
            .arg(id);
    failure.stackTrace = QStringLiteral("\n   at NServiceBus.DeserializeMessageConnector.ExtractWithExceptionHandling("
                                        "IncomingMessage message)");
    return failure;
}

} // namespace

OrdersRun::OrdersRun(OrdersSettings settings, ScenarioContext context)
    : m_settings(std::move(settings))
    , m_context(std::move(context))
    , m_ledger(planned())
    , m_group(m_context.clock)
    , m_return(m_settings.returning, m_context.clock, m_context.random, m_ledger)
    , m_started(m_context.clock.now())
{
    for (size_t index = 0; index < size_t(m_settings.endpoints.size()); ++index) {
        m_faults.emplace_back(m_context.seed, m_settings.endpoints.at(qsizetype(index)).faults);
        addInstances(index);
    }
    if (m_settings.publishes())
        m_subscriber =
            std::make_unique<QueueConsumer>(eventsQueue.toString(), std::min(m_context.longestPause, longestEventPause),
                                            [this](broker::ReceivedMessage) -> core::Task<QueueConsumer::Settle> {
                                                ++m_eventsReceived;
                                                co_return QueueConsumer::Settle::Remove;
                                            });
}

void OrdersRun::addInstances(size_t endpoint)
{
    const OrdersEndpoint &one = m_settings.endpoints.at(qsizetype(endpoint));
    for (int instance = 1; instance <= one.instances; ++instance) {
        EndpointSettings settings = one.settings;
        settings.machine =
            QStringLiteral("%1-%2").arg(settings.name.section(u'.', -1).toLower(), QString::number(instance));
        m_endpoints.push_back(std::make_unique<Endpoint>(
            settings, [this, endpoint](Incoming incoming) { return handle(endpoint, std::move(incoming)); },
            m_context.clock, m_context.random, m_ledger, m_context.log));
    }
}

std::shared_ptr<broker::Broker> OrdersRun::newBroker()
{
    m_brokers.push_back(m_context.makeBroker());
    return m_brokers.back();
}

core::Result<> OrdersRun::start()
{
    m_group.start([this] { return begin(); });
    return {};
}

core::Task<> OrdersRun::begin()
{
    std::vector<std::shared_ptr<broker::Broker>> brokers;
    for (size_t i = 0; i < m_endpoints.size() + 2; ++i)
        brokers.push_back(newBroker());
    for (size_t i = 0; i < brokers.size(); ++i) {
        const bool ready = co_await probeUntilReady(&m_group, brokers.at(i));
        if (!ready)
            co_return;
    }
    for (size_t i = 0; i < m_endpoints.size(); ++i)
        m_endpoints.at(i)->start(m_group, brokers.at(i));
    if (m_context.returnsFailures)
        m_return.start(m_group, brokers.at(m_endpoints.size()));
    if (m_subscriber)
        m_subscriber->start(m_group, newBroker());
    m_group.start([this, broker = brokers.back()] { return sendAll(broker); });
}

core::Task<> OrdersRun::sendAll(std::shared_ptr<broker::Broker> broker)
{
    const core::Milliseconds between{1000 / m_settings.perSecond};
    for (int number = 0; number < planned();) {
        const QList<broker::Outgoing> one{message(number)};
        const QList<broker::SendOutcome> outcomes = co_await broker->send(one);
        const bool accepted = !outcomes.isEmpty() && outcomes.first().verdict == broker::Verdict::Accepted;
        if (accepted)
            m_ledger.sent(number++);
        const core::Milliseconds due = between * number - sinceStart();
        const core::Milliseconds pause = accepted ? std::max(due, core::Milliseconds{0}) : pauseAfterTrouble;
        const core::Result<> slept = co_await m_group.timers().sleep(pause);
        if (!slept)
            co_return;
    }
}

size_t OrdersRun::endpointOf(int number) const
{
    QList<int> shares;
    for (const OrdersEndpoint &endpoint : m_settings.endpoints)
        shares.append(endpoint.share);
    return size_t(shareOf(dice(m_context.seed, number, EndpointRoll), shares));
}

broker::Outgoing OrdersRun::message(int number) const
{
    const quint64 seed = m_context.seed;
    const size_t index = endpointOf(number);
    const OrdersEndpoint &endpoint = m_settings.endpoints.at(qsizetype(index));
    const QString id = uuidFrom(dice(seed, number, OrderIdRoll));
    broker::Outgoing outgoing;
    outgoing.destination = endpoint.settings.queue;
    records::Envelope &envelope = outgoing.envelope;
    addMessageHeaders(envelope.headers, {id, uuidFrom(dice(seed, number, ConversationRoll)), endpoint.messageType});
    records::set(envelope.headers, messageNumberHeader.toString(), QString::number(number));
    records::set(envelope.properties, QStringLiteral("MessageId"), id);
    records::set(envelope.properties, QStringLiteral("Label"), endpoint.messageType);
    records::set(envelope.properties, QStringLiteral("ContentType"), QStringLiteral("application/json"));
    envelope.body = orderBody(endpoint.messageType, number, dice(seed, number, BodyRoll));
    if (m_faults.at(index).spoils(number))
        envelope.body.truncate(envelope.body.size() / 2);
    return outgoing;
}

// Nobody retries an event, so it has no number of the scenario.
broker::Outgoing OrdersRun::event(const OrdersEndpoint &endpoint, const Incoming &incoming) const
{
    broker::Outgoing outgoing;
    outgoing.destination = eventsQueue.toString();
    const QString conversation = records::text(incoming.envelope.headers, u"NServiceBus.MessageId");
    const QString id = QStringLiteral("%1-%2").arg(conversation, QString::number(incoming.attempt));
    addMessageHeaders(outgoing.envelope.headers, {id, conversation, endpoint.publishes});
    outgoing.envelope.body = incoming.envelope.body;
    return outgoing;
}

core::Task<std::optional<HandlerFailure>> OrdersRun::handle(size_t endpoint, Incoming incoming) const
{
    std::optional<HandlerFailure> failure;
    const bool isReadable = QJsonDocument::fromJson(incoming.envelope.body).isObject();
    const OrdersEndpoint &settings = m_settings.endpoints.at(qsizetype(endpoint));
    if (isReadable && !settings.publishes.isEmpty())
        incoming.sends->append(event(settings, incoming));
    if (!isReadable)
        failure = unreadable(records::text(incoming.envelope.headers, u"NServiceBus.MessageId"));
    else if (incoming.number >= 0)
        failure = m_faults.at(endpoint).strikes(incoming.number, incoming.attempt, sinceStart());
    co_return failure;
}

core::Task<core::Result<QJsonObject>> OrdersRun::report()
{
    CO_TRY(const broker::Listing listing, co_await m_brokers.back()->queues());
    qint64 waiting = 0;
    for (const broker::QueueInfo &queue : listing.queues)
        waiting += queue.name == eventsQueue ? 0 : queue.depth.value_or(0);
    QJsonObject counts = m_ledger.counts(waiting);
    int spoiled = 0;
    for (int number = 0; number < planned(); ++number)
        spoiled += m_faults.at(endpointOf(number)).spoils(number) ? 1 : 0;
    counts.insert(QStringLiteral("bad_json"), spoiled);
    counts.insert(QStringLiteral("events_received"), m_eventsReceived);
    co_return counts;
}

void OrdersRun::stop(std::function<void()> done)
{
    for (const std::shared_ptr<broker::Broker> &broker : m_brokers)
        broker->cancelAll();
    m_group.stop(std::move(done));
}

} // namespace sandbox
