#include "backend/sandbox/telemetry/telemetryrun.h"

#include "backend/sandbox/dice.h"
#include "backend/sandbox/messagemarks.h"
#include "backend/sandbox/queueconsumer.h"
#include "backend/sandbox/text.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace sandbox {

namespace {

enum ReadingRoll : quint64 { SpeedRoll = 1, LateRoll };

constexpr int vehicles = 20;
constexpr int wholeShare = 10000;
constexpr core::Milliseconds pauseWhenEmpty{500};
constexpr core::Milliseconds pauseOfWatch{10000};

int numberOf(const broker::ReceivedPage &page)
{
    return sandbox::numberOf(page.messages.constFirst().envelope.headers);
}

} // namespace

TelemetryRun::TelemetryRun(TelemetrySettings settings, ScenarioContext context)
    : m_settings(std::move(settings))
    , m_context(std::move(context))
    , m_group(m_context.clock)
    , m_faults(m_context.seed, m_settings.faults)
    , m_origin(m_context.clock.now())
    , m_processed(size_t(planned()))
{
}

core::Result<> TelemetryRun::start()
{
    for (qsizetype i = 0; i <= m_settings.consumers.size(); ++i) {
        Client client{m_context.makeBroker()};
        client.settler = dynamic_cast<broker::MessageSettler *>(client.broker.get());
        if (client.settler == nullptr)
            return core::fail(core::ErrorKind::Refused, Text::tr("The broker cannot dead-letter and defer."));
        m_clients.push_back(std::move(client));
    }
    m_group.start([this] { return begin(); });
    return {};
}

core::Task<> TelemetryRun::begin()
{
    for (size_t i = 0; i < m_clients.size(); ++i) {
        const bool ready = co_await probeUntilReady(&m_group, m_clients.at(i).broker);
        if (!ready)
            co_return;
    }
    for (qsizetype i = 0; i < m_settings.consumers.size(); ++i) {
        m_group.start([this, consumer = m_settings.consumers.at(i), client = m_clients.at(size_t(i))] {
            return consume(consumer, client);
        });
    }
    m_group.start([this, client = m_clients.back()] { return sendAll(client); });
    m_group.start([this] { return watch(); });
}

bool TelemetryRun::isLate(int number) const
{
    return number > 0 && int(dice(m_context.seed, number, LateRoll) % wholeShare) < m_settings.late;
}

broker::Outgoing TelemetryRun::reading(int number) const
{
    const QJsonObject body{{QStringLiteral("vehicle"), QStringLiteral("V-%1").arg(number % vehicles)},
                           {QStringLiteral("speed"), qint64(dice(m_context.seed, number, SpeedRoll) % 130)}};
    broker::Outgoing outgoing;
    outgoing.destination = telemetryQueue.toString();
    outgoing.envelope.body = QJsonDocument(body).toJson(QJsonDocument::Compact);
    if (m_faults.spoils(number))
        outgoing.envelope.body.truncate(outgoing.envelope.body.size() / 2);
    records::set(outgoing.envelope.headers, messageNumberHeader.toString(), QString::number(number));
    records::set(outgoing.envelope.properties, QStringLiteral("Label"), QStringLiteral("Fleet.SpeedReading"));
    records::set(outgoing.envelope.properties, QStringLiteral("ContentType"), QStringLiteral("application/json"));
    return outgoing;
}

core::Task<> TelemetryRun::sendAll(Client client)
{
    const core::Milliseconds between{1000 / m_settings.perSecond};
    while (m_sent < planned()) {
        broker::Outgoing next = reading(m_sent);
        const bool sent = co_await sendOne(client.broker, next.destination, std::move(next.envelope));
        m_sent += sent ? 1 : 0;
        const core::Result<> slept = co_await m_group.timers().sleep(between);
        if (!slept)
            co_return;
    }
}

// All locks of the buffer run from the moment of the take, also those of the messages at its end.
core::Task<> TelemetryRun::consume(TelemetryConsumer consumer, Client client)
{
    broker::TakeRequest request;
    request.queue = telemetryQueue.toString();
    request.limit = consumer.prefetch;
    while (!m_group.isStopped()) {
        const core::Result<broker::ReceivedPage> page = co_await client.broker->take(request);
        const core::TimePoint takenAt = m_context.clock.now();
        const QList<broker::ReceivedMessage> buffer = page ? page->messages : QList<broker::ReceivedMessage>();
        for (qsizetype i = 0; i < buffer.size() && !m_group.isStopped(); ++i) {
            Buffered buffered{request, *page, takenAt};
            buffered.page.messages = {buffer.at(i)};
            co_await work(consumer, client, std::move(buffered));
        }
        if (buffer.isEmpty()) {
            const core::Result<> slept = co_await m_group.timers().sleep(pauseWhenEmpty);
            if (!slept)
                co_return;
        }
    }
}

void TelemetryRun::lost(const TelemetryConsumer &consumer, int number, core::TimePoint takenAt)
{
    ++m_locksLost[consumer.name];
    if (!m_context.log)
        return;
    const auto held = std::chrono::duration_cast<std::chrono::seconds>(m_context.clock.now() - takenAt);
    const auto lock = std::chrono::duration_cast<std::chrono::seconds>(m_settings.lock);
    m_context.log(
        QStringLiteral("%1: LockLostException: message %2 was settled %3 s after it was received; its lock lasts %4 s")
            .arg(consumer.name, QString::number(number), QString::number(held.count()), QString::number(lock.count())));
}

core::Task<> TelemetryRun::work(TelemetryConsumer consumer, Client client, Buffered buffered)
{
    const int number = numberOf(buffered.page);
    const broker::ReceivedMessage held = buffered.page.messages.constFirst();
    const core::Result<> worked = co_await m_group.timers().sleep(consumer.takes);
    if (!worked)
        co_return;
    core::Result<> settled;
    if (!QJsonDocument::fromJson(held.envelope.body).isObject()) { // Azure Service Bus, scenario B
        settled = co_await client.settler->deadLetter(telemetryQueue.toString(), held, QStringLiteral("InvalidJson"),
                                                      QStringLiteral("The reading is no JSON object."));
        m_deadLettered += settled ? 1 : 0;
    } else if (m_faults.strikes(number, held.deliveryCount.value_or(1), m_context.clock.now() - m_origin)) {
        const core::Result<> back = co_await client.broker->putBack(buffered.request, buffered.page);
        m_abandoned += back ? 1 : 0; // Azure Service Bus, scenarios A and C; an expired lock is no error here
        co_return;
    } else if (isLate(number) && m_processed.at(size_t(number - 1)) == 0 && held.deliveryCount.value_or(1) == 1) {
        settled = co_await client.settler->defer(telemetryQueue.toString(), held);
        m_deferrals += settled ? 1 : 0;
        if (settled)
            m_deferred.insert(number, held.nativeId);
    } else {
        co_await process(consumer, client, std::move(buffered));
        co_return;
    }
    if (!settled && settled.error().kind == core::ErrorKind::NotFound)
        lost(consumer, number, buffered.takenAt);
}

core::Task<> TelemetryRun::process(TelemetryConsumer consumer, Client client, Buffered buffered)
{
    const int number = numberOf(buffered.page);
    if (number >= 0 && size_t(number) < m_processed.size())
        ++m_processed.at(size_t(number));
    const core::Result<> released = co_await client.broker->release(buffered.request, buffered.page);
    if (released)
        ++m_completed;
    else if (released.error().kind == core::ErrorKind::NotFound)
        lost(consumer, number, buffered.takenAt);
    co_await fetchDeferred(consumer, client, number);
}

// A reading that waited for this one can be processed now.
core::Task<> TelemetryRun::fetchDeferred(TelemetryConsumer consumer, Client client, int after)
{
    const QString id = m_deferred.value(after + 1);
    if (id.isEmpty())
        co_return;
    const core::Result<broker::ReceivedMessage> held =
        co_await client.settler->receiveDeferred(telemetryQueue.toString(), id);
    if (held || held.error().kind == core::ErrorKind::NotFound) // not found: it has expired
        m_deferred.remove(after + 1);
    if (!held)
        co_return;
    Buffered buffered;
    buffered.request.queue = telemetryQueue.toString();
    buffered.page.messages = {*held};
    buffered.takenAt = m_context.clock.now();
    co_await process(consumer, client, std::move(buffered));
}

core::Task<core::Result<TelemetryRun::DeadLetters>> TelemetryRun::deadLetters()
{
    const std::shared_ptr<broker::Broker> broker = m_clients.back().broker;
    CO_TRY(const broker::Listing listing, co_await broker->queues());
    DeadLetters found;
    found.isDead.resize(m_processed.size());
    for (const broker::QueueInfo &queue : listing.queues) {
        if (queue.name == telemetryQueue)
            found.waiting = queue.depth.value_or(0);
    }
    const QString queue = telemetryQueue.toString() + QStringLiteral("/$DeadLetterQueue");
    CO_TRY(const broker::ReceivedPage page, co_await broker->browse(queue, messageLimit));
    for (const broker::ReceivedMessage &held : page.messages) {
        ++found.reasons[records::text(held.envelope.headers, u"DeadLetterReason")];
        const int number = sandbox::numberOf(held.envelope.headers);
        if (number >= 0 && size_t(number) < found.isDead.size())
            found.isDead[size_t(number)] = true;
    }
    co_return found;
}

// Readings that wait for one that will never be processed.
core::Task<> TelemetryRun::fetchOrphans(DeadLetters dead)
{
    const QList<int> waiting = m_deferred.keys();
    const TelemetryConsumer consumer = m_settings.consumers.constFirst();
    const Client client = m_clients.back();
    for (qsizetype i = 0; i < waiting.size(); ++i) {
        const size_t before = size_t(waiting.at(i) - 1);
        if (before < dead.isDead.size() && (dead.isDead.at(before) || m_processed.at(before) > 0))
            co_await fetchDeferred(consumer, client, int(before));
    }
}

// The end: everything was sent, and each reading was processed or is dead, and none of them is in the queue any more.
core::Task<> TelemetryRun::watch()
{
    while (!m_group.isStopped()) {
        const core::Result<> slept = co_await m_group.timers().sleep(pauseOfWatch);
        if (!slept)
            co_return;
        if (m_sent < planned())
            continue;
        const core::Result<DeadLetters> dead = co_await deadLetters();
        co_await fetchOrphans(dead.value_or(DeadLetters{}));
        bool allEnded = dead && dead->waiting == 0;
        for (size_t number = 0; allEnded && number < m_processed.size(); ++number)
            allEnded = m_processed.at(number) > 0 || dead->isDead.at(number);
        m_isOver = allEnded;
    }
}

core::Task<core::Result<QJsonObject>> TelemetryRun::report()
{
    CO_TRY(const DeadLetters dead, co_await deadLetters());
    qint64 processed = 0;
    qint64 twice = 0;
    qint64 failed = 0;
    for (size_t number = 0; number < m_processed.size(); ++number) {
        const int times = m_processed.at(number);
        processed += times > 0 ? 1 : 0;
        twice += times > 1 ? 1 : 0;
        failed += times == 0 && dead.isDead.at(number) ? 1 : 0;
    }
    QJsonObject reasons;
    qint64 inDeadLetters = 0;
    for (auto it = dead.reasons.cbegin(); it != dead.reasons.cend(); ++it) {
        reasons.insert(it.key(), it.value());
        inDeadLetters += it.value();
    }
    QJsonObject lostBy;
    int lostLocks = 0;
    for (auto it = m_locksLost.cbegin(); it != m_locksLost.cend(); ++it) {
        lostBy.insert(it.key(), it.value());
        lostLocks += it.value();
    }
    co_return QJsonObject{{QStringLiteral("sent"), m_sent},
                          {QStringLiteral("processed"), processed},
                          {QStringLiteral("processed_twice"), twice},
                          {QStringLiteral("failed_for_good"), failed},
                          {QStringLiteral("immediate_retries"), m_abandoned},
                          {QStringLiteral("delayed_retries"), 0},
                          {QStringLiteral("to_error_queue"), inDeadLetters},
                          {QStringLiteral("rate_limit"), QJsonArray{}},
                          {QStringLiteral("returned_by_policy"), 0},
                          {QStringLiteral("came_back"), 0},
                          {QStringLiteral("left_for_a_person"), inDeadLetters},
                          {QStringLiteral("unaccounted"), m_sent - processed - failed},
                          {QStringLiteral("locks_lost"), lostLocks},
                          {QStringLiteral("locks_lost_by"), lostBy},
                          {QStringLiteral("completed"), m_completed},
                          {QStringLiteral("abandoned"), m_abandoned},
                          {QStringLiteral("dead_lettered"), m_deadLettered},
                          {QStringLiteral("deferred"), m_deferrals},
                          {QStringLiteral("dead_letters"), reasons}};
}

void TelemetryRun::stop(std::function<void()> done)
{
    for (const Client &client : m_clients)
        client.broker->cancelAll();
    m_group.stop(std::move(done));
}

} // namespace sandbox
