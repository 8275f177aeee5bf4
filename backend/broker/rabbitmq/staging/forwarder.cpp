#include "backend/broker/rabbitmq/staging/forwarder.h"

#include "backend/broker/rabbitmq/holding/pagereader.h"
#include "backend/broker/rabbitmq/http/messagecodec.h"
#include "backend/broker/rabbitmq/publisher.h"
#include "backend/broker/rabbitmq/text.h"
#include "backend/broker/statuserror.h"
#include "backend/core/limits.h"
#include "backend/core/time/laterequests.h"
#include "backend/records/messages/stamp.h"

#include <QCborArray>
#include <QDateTime>
#include <QTimeZone>

using namespace std::chrono_literals;

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

constexpr auto firstShovelPoll = 25ms;
constexpr auto slowestShovelPoll = 500ms;
constexpr int goodShovels = 2; // working shovels that leave copies behind, before the rest is accounted for
constexpr int proofTries = 3; // for a destination of which it is not proved that it is missing
constexpr int fruitlessShovels = 3; // shovels without a consumer in one call, before the call ends with an error

// Gives the time of day instead of a duration, because a reason that changes every second is stored every second.
QString since(core::TimePoint at)
{
    return QDateTime::fromMSecsSinceEpoch(core::toMs(at), QTimeZone::utc()).toString(QStringLiteral("HH:mm:ss 'UTC'"));
}

// Of a queue that is replicated, any node may hold what was not confirmed yet.
QStringList nodesOf(const LiveQueue &queue, const ClusterIncarnation &running)
{
    return queue.type == QLatin1String("classic") ? QStringList{queue.node} : running.names();
}

QString fewOf(const QStringList &names)
{
    constexpr qsizetype most = 3;
    return names.mid(0, most).join(QLatin1String(", ")) + (names.size() > most ? QStringLiteral(", …") : QString());
}

Returned returnedFrom(const QCborMap &item, const QString &reason)
{
    const ReceivedMessage held = heldFrom(item);
    Returned returned;
    returned.reason = reason;
    if (const std::optional<records::Stamp> stamp = records::stampOf(held.envelope.headers)) {
        returned.uniqueId = stamp->uniqueId;
        returned.stagingId = stamp->stagingId;
    }
    return returned;
}

} // namespace

Forwarder::Forwarder(ManagementApi &api, Shovels &shovels, core::Clock &clock, core::Timers &timers,
                     ForwardRequest request, ForwardHooks hooks)
    : m_api(api)
    , m_clock(clock)
    , m_timers(timers)
    , m_request(std::move(request))
    , m_hooks(std::move(hooks))
    , m_names(m_request.place.name)
    , m_queues(api)
    , m_returnExchange(api)
    , m_shovels(shovels)
    , m_marks(api, clock)
{
}

Result<> Forwarder::keep()
{
    return m_hooks.keepMark ? m_hooks.keepMark(m_mark.toText()) : Result<>();
}

void Forwarder::say(const QString &reason)
{
    if (reason != m_said && m_hooks.waiting)
        m_hooks.waiting(reason);
    m_said = reason;
}

Task<Result<ForwardReport>> Forwarder::run()
{
    CO_TRY(co_await begin());
    core::Milliseconds poll = firstShovelPoll;
    while (!m_mark.restOnly) {
        CO_TRY(const Step step, co_await nextStep());
        if (step == Step::Empty)
            break;
        if (step == Step::Rest)
            continue; // the mark says so: the loop ends
        const core::Pending<Result<>> sleeping = m_timers.sleep(poll);
        CO_TRY(co_await sleeping);
        poll = std::min<core::Milliseconds>(poll * 2, slowestShovelPoll);
    }
    say({});
    Result<ForwardReport> report = co_await account();
    co_return report;
}

Task<Result<>> Forwarder::begin()
{
    noteMoved();
    m_askedAt = m_movedAt;
    m_requestedAt = m_movedAt; // by an earlier call, or a process that died
    if (const std::optional<ForwardMark> kept = ForwardMark::from(m_request.mark, m_names.staging)) {
        m_mark = *kept;
        co_return Result<>();
    }
    CO_TRY(const LiveQueue queue, co_await m_queues.live(m_names.staging));
    CO_TRY(const ClusterIncarnation nodes, co_await m_marks.read(queue.node));
    if (!nodes.of(queue.node))
        co_return fail(ErrorKind::Transient, Text::tr("RabbitMQ does not list its node %1 yet.").arg(queue.node));
    m_mark.node = queue.node;
    m_mark.nodes = nodes;
    if (nodes.names().size() > 1) {
        CO_TRY(m_mark.involved, co_await nodesOfDestinations());
    }
    co_return Result<>(); // kept with the first shovel: without a mark nothing was forwarded
}

// Its node came back without its disk, or somebody purged it. Once a shovel was requested, the count tells nothing.
Result<> Forwarder::holdsAll(qint64 messages, qint64 expected) const
{
    const bool isUntouched = m_mark.copies < 0 && !m_mark.mayHaveForwarded();
    if (!isUntouched || messages >= expected)
        return {};
    return fail(ErrorKind::NotFound,
                Text::tr("The staging queue %1 lost copies before they were forwarded.").arg(m_names.staging));
}

Task<Result<Forwarder::Step>> Forwarder::nextStep()
{
    // Reads the shovels before the queue: otherwise "no shovel, queue empty" could be a shovel that has yet to start.
    CO_TRY(const QStringList shovels, co_await m_shovels.under(m_names.staging));
    CO_TRY(const LiveQueue queue, co_await m_queues.live(m_names.staging));
    if (!OwnedQueues::isOurs(queue)) {
        // A shovel re-creates a deleted source queue, plain and unbound; the copies in it are lost.
        co_return fail(ErrorKind::NotFound,
                       Text::tr("The staging queue %1 was deleted while it held copies.").arg(m_names.staging));
    }
    if (!queue.messages)
        co_return fail(ErrorKind::Transient,
                       Text::tr("RabbitMQ does not report the message count of %1 yet.").arg(m_names.staging));
    const qint64 depth = *queue.messages;
    if (depth != m_lastDepth) {
        m_seenWorking = m_seenWorking || depth < m_lastDepth; // more: an end marker that arrived late
        m_lastDepth = depth;
        noteMoved();
        if (m_hooks.progress)
            m_hooks.progress(std::max<qint64>(0, m_mark.lastEnd > 0 ? depth - 1 : depth));
    }
    if (!shovels.isEmpty()) {
        const Result<Step> step = co_await lookWithShovels(shovels, depth, queue.unacknowledged);
        co_return step;
    }
    const Result<Step> step = co_await lookWithoutShovel(depth);
    co_return step;
}

Task<Result<Forwarder::Step>> Forwarder::lookWithoutShovel(qint64 depth)
{
    CO_TRY(holdsAll(depth, m_request.staged));
    if (depth == 0) {
        CO_TRY(const bool empty, co_await isEmpty());
        co_return empty ? Step::Empty : Step::Poll;
    }
    if (m_mark.shovels < goodShovels) {
        CO_TRY(co_await startShovel());
        co_return Step::Poll;
    }
    if (lateStartWithin() > core::Milliseconds{0})
        co_return Step::Poll; // it may still come and send what is left
    // Two shovels ended by themselves and left copies: their destinations refused each of those copies.
    m_mark.restOnly = true;
    m_mark.lateStartPossible = false;
    CO_TRY(keep());
    co_return Step::Rest;
}

// How long a request to start a shovel that has no answer may still arrive; 0: none may.
core::Milliseconds Forwarder::lateStartWithin() const
{
    if (!m_mark.lateStartPossible)
        return core::Milliseconds{0};
    return std::max(m_requestedAt + core::limits::lateRequests - m_clock.steady(), core::Milliseconds{0});
}

// More than one shovel works if a request to start one arrived late. Each copy goes to one of them.
Task<Result<Forwarder::Step>> Forwarder::lookWithShovels(QStringList shovels, qint64 depth, qint64 inFlight)
{
    m_seenWorking = m_seenWorking || inFlight > 0;
    // Asks for the run of a shovel until it is known, because it may break in its first second.
    const bool isTime = m_clock.steady() - m_askedAt >= 1s;
    const bool isNew = std::any_of(shovels.cbegin(), shovels.cend(),
                                   [this](const QString &name) { return !m_mark.watch.runs.contains(name); });
    if (isTime || isNew)
        CO_TRY(co_await watch());
    if (isTime) {
        m_askedAt = m_clock.steady();
        CO_TRY(const bool consumer, co_await m_shovels.hasConsumer(m_names.staging));
        m_seenWorking = m_seenWorking || consumer;
        if (!m_shovelReason.isEmpty())
            say(Text::tr("The shovel is not running: %1").arg(m_shovelReason));
        else
            say(still() >= 5s && depth > 0
                    ? Text::tr("No message has left %1 since %2.").arg(m_names.staging, since(m_movedAtWall))
                    : QString());
    }
    if (!m_seenWorking && still() >= core::limits::shovelStart) {
        CO_TRY(co_await m_shovels.takeDownUnder(m_names.staging));
        m_mark.shovels = std::max(0, m_mark.shovels - 1); // it never worked, so it does not count as a try
        CO_TRY(keep());
        noteMoved();
        if (++m_fruitless >= fruitlessShovels)
            co_return fail(ErrorKind::Transient, Text::tr("The shovel of %1 does not start.").arg(m_names.staging),
                           m_said);
        co_return Step::Poll;
    }
    if (still() < core::limits::forwardStall)
        co_return Step::Poll;
    // The shovel does not move. Without unconfirmed copies it can be removed and started again, and nothing is doubled.
    // With unconfirmed copies these are in doubt once it is removed: so the mark is kept first, and the removal comes
    // last.
    if (inFlight > 0 || m_mark.shovels >= goodShovels) {
        m_mark.restOnly = depth > 0;
        m_mark.restInDoubt = inFlight > 0;
        CO_TRY(keep());
    }
    CO_TRY(co_await m_shovels.takeDownUnder(m_names.staging));
    noteMoved();
    co_return m_mark.restOnly ? Step::Rest : Step::Poll;
}

Task<Result<>> Forwarder::watch()
{
    CO_TRY(const auto states, co_await m_shovels.statesUnder(m_names.staging));
    m_shovelReason.clear();
    for (auto shovel = states.cbegin(); shovel != states.cend(); ++shovel) {
        CO_TRY(m_mark.watch.note(shovel.key(), shovel.value()) ? keep() : Result<>());
        if (m_shovelReason.isEmpty())
            m_shovelReason = shovel.value().reason;
    }
    co_return Result<>();
}

Task<Result<>> Forwarder::startShovel()
{
    CO_TRY(co_await m_queues.noAlarm());
    if (m_mark.lastEnd == 0 || m_mark.shovels > 0) // else the newest one is in the queue, because nothing was moved
        CO_TRY(co_await markEnd(m_mark.lastShovel + 1));
    if (m_mark.copies < 0) {
        // Again: an end marker that is published after a loss would say that nothing was lost.
        CO_TRY(m_lastDepth, co_await m_queues.count(m_names.staging));
        CO_TRY(holdsAll(m_lastDepth, m_request.staged + 1));
        m_mark.copies = m_lastDepth;
    }
    CO_TRY(const QList<Unreachable> unreachable, co_await m_returnExchange.open(m_names, m_request.place.destinations));
    m_mark.unreachable.clear();
    m_mark.refused.clear();
    for (const Unreachable &one : unreachable) {
        const bool isFinal = one.error.kind == ErrorKind::Rejected;
        (isFinal ? m_mark.refused : m_mark.unreachable).insert(one.destination, one.error.message);
    }
    const bool earlierMayCome = lateStartWithin() > core::Milliseconds{0};
    ++m_mark.shovels;
    ++m_mark.lastShovel;
    m_mark.lateStartPossible = true;
    CO_TRY(keep());
    m_seenWorking = false;
    const ShovelOrder order{m_names.shovel(m_mark.lastShovel), m_names.staging, m_names.returnExchange, std::nullopt};
    const Creation made = co_await m_shovels.start(order);
    noteMoved();
    m_requestedAt = m_movedAt;
    m_mark.lateStartPossible = earlierMayCome || made.mayStillArrive;
    if (made.result)
        co_return Result<>(); // kept with the next step: what is kept until then is on the safe side
    // If the shovel exists all the same, the next round finds it. If it does not, it has left no copies behind.
    --m_mark.shovels;
    CO_TRY(keep());
    co_return made.result;
}

// A message behind all copies. The shovel moves it last, and it ends in the unroutable queue: if it is found there, or among what
// is left, no copy before it was lost. The staging queue of a node that came back without its disk is empty, too.
Task<Result<>> Forwarder::markEnd(int shovel)
{
    CO_TRY(const QString entrance, co_await openEntrance(shovel));
    Outgoing end;
    end.destination = m_names.endKey();
    end.envelope.properties = {{QStringLiteral("delivery_mode"), 2},
                               {QStringLiteral("message_id"), m_names.end(shovel)}};
    Publisher publisher(m_api);
    const QList<Outgoing> one{end};
    const QList<SendOutcome> outcomes = co_await publisher.publish(entrance, one);
    const SendOutcome &outcome = outcomes.constFirst();
    if (outcome.verdict != Verdict::Accepted) {
        if (outcome.error.kind == ErrorKind::Cancelled)
            co_return fail(outcome.error);
        // A refusal in the broker's own words: the sentence about it says that a queue of ours is full.
        const bool isRefusal = outcome.verdict == Verdict::Full;
        const QString answer = isRefusal ? broker::asSentence(outcome.error.detail) : outcome.error.message;
        co_return fail(
            ErrorKind::Transient,
            Text::tr("RabbitMQ does not take the last message of the batch for %1: %2 Redrive tries again. If this "
                     "stays, check whether a node is down or a policy limits the queues of Redrive.")
                .arg(fewOf(m_request.place.destinations), answer));
    }
    m_mark.lastEnd = shovel; // kept before the shovel is started
    ++m_lastDepth;
    co_return Result<>();
}

// A new one if somebody deleted it: without an end marker a loss would not be noticed.
Task<Result<QString>> Forwarder::openEntrance(int shovel)
{
    CO_TRY(QStringList found, co_await m_queues.exchangesUnder(m_names.staging));
    found.removeIf(
        [this](const QString &name) { return name != m_names.staging && !name.startsWith(m_names.laterEntrances()); });
    std::sort(found.begin(), found.end(), [](const QString &one, const QString &other) {
        return one.size() != other.size() ? one.size() < other.size() : one < other;
    });
    if (!found.isEmpty())
        co_return found.constLast();
    const QString entrance = m_names.entranceForEnd(shovel);
    CO_TRY(co_await m_queues.declareEntrance(entrance, m_names.staging));
    co_return entrance;
}

// Nothing of ours sends from the staging queue any more after this.
Task<Result<>> Forwarder::endShovels()
{
    CO_TRY(co_await m_shovels.takeDownUnder(m_names.staging));
    if (!m_mark.lateStartPossible)
        co_return Result<>();
    const core::Pending<Result<>> sleeping = m_timers.sleep(lateStartWithin());
    CO_TRY(co_await sleeping);
    CO_TRY(const qsizetype late, co_await m_shovels.takeDownUnder(m_names.staging));
    m_mark.restInDoubt = m_mark.restInDoubt || late > 0;
    m_mark.lateStartPossible = false;
    co_return keep();
}

Task<Result<bool>> Forwarder::isEmpty()
{
    const PeekOptions one{1, false, 1};
    CO_TRY(const QCborArray head, co_await m_api.peek(m_names.staging, one));
    if (!head.isEmpty())
        co_return false;
    CO_TRY(const bool bound, co_await m_queues.isBound(m_names.staging, m_names.staging, {}, m_names.laterEntrances()));
    if (!bound)
        co_return fail(ErrorKind::NotFound,
                       Text::tr("The staging queue %1 was deleted while it held copies.").arg(m_names.staging));
    co_return true;
}

Task<Result<ForwardReport>> Forwarder::account()
{
    ForwardReport report;
    CO_TRY(co_await findInterruption(report));
    if (m_mark.restOnly)
        CO_TRY(co_await readRest(report));
    CO_TRY(co_await m_returnExchange.close(m_names));
    CO_TRY(co_await readUnroutable(report));
    CO_TRY(co_await readDead(report));
    CO_TRY(co_await judgeLoss(report));
    co_return report;
}

// `isNewest` becomes true with the end marker that is behind everything that was staged.
bool Forwarder::isEnd(const QCborMap &item, bool &isNewest) const
{
    if (item.value(QLatin1String("routing_key")).toString() != m_names.endKey())
        return false;
    const QCborMap properties = item.value(QLatin1String("properties")).toMap();
    if (properties.value(QLatin1String("message_id")).toString() == m_names.end(m_mark.lastEnd))
        isNewest = true;
    return true;
}

// On another node than the staging queue, the end marker survives a loss of copies that were refused or not confirmed.
Task<Result<bool>> Forwarder::provesUnroutableAll(bool isSameRun)
{
    if (!m_endUnroutable || isSameRun)
        co_return m_endUnroutable;
    CO_TRY(const LiveQueue unroutable, co_await m_queues.live(m_names.unroutable));
    co_return unroutable.node == m_mark.node;
}

Task<Result<>> Forwarder::judgeLoss(ForwardReport &report)
{
    if (m_mark.lastEnd == 0 || m_endLeft)
        co_return Result<>();
    // Read anew, because the queues were read since.
    CO_TRY(const ClusterIncarnation now, co_await m_marks.read(m_mark.node));
    const bool isSameRun = now.isSameRun(m_mark.nodes, m_mark.node);
    CO_TRY(const bool isProved, co_await provesUnroutableAll(isSameRun));
    if (!isProved)
        report.lost = lossText(isSameRun);
    co_return Result<>();
}

// The reason of each message that may be lost.
QString Forwarder::lossText(bool isSameRun) const
{
    QString reason;
    if (isSameRun)
        reason = Text::tr("Messages of the staging queue %1 disappeared.").arg(m_names.staging);
    else if (m_endUnroutable)
        reason = Text::tr("RabbitMQ node %1 restarted and may have lost messages of the staging queue %2.")
                     .arg(m_mark.node, m_names.staging);
    else
        reason = Text::tr("RabbitMQ node %1 restarted without the messages of the staging queue %2.")
                     .arg(m_mark.node, m_names.staging);
    return reason + QLatin1Char(' ')
           + Text::tr(
               "Check at the destination whether this message arrived: then settle it as sent, or send it again.");
}

Task<Result<>> Forwarder::readRest(ForwardReport &report)
{
    CO_TRY(co_await endShovels());
    CO_TRY(const qint64 count, co_await m_queues.count(m_names.staging));
    if (count == 0)
        co_return Result<>();
    const WholeOrder order{m_names.staging, count, m_names.staging, m_names.laterEntrances()};
    CO_TRY(const QCborArray items, co_await readWhole(m_api, order));
    CO_TRY(const auto down, co_await notRunning(destinationsIn(items)));
    for (const QCborValue &value : items) {
        const QCborMap item = value.toMap();
        if (isEnd(item, m_endLeft))
            continue;
        const QString destination = item.value(QLatin1String("routing_key")).toString();
        // A copy that was delivered to the shovel and not confirmed when the shovel was removed, or that came back
        // after an interruption, may be at its destination. A copy that was never delivered is certainly not; one that
        // came back was refused.
        const bool delivered = item.value(QLatin1String("redelivered")).toBool(true);
        if (report.interrupted || (m_mark.restInDoubt && delivered))
            report.inDoubt.append(
                returnedFrom(item, Text::tr("It is unknown whether queue %1 took this copy.").arg(destination)));
        else if (const auto reason = down.constFind(destination); reason != down.constEnd())
            report.kept.append(returnedFrom(item, *reason));
        else
            report.ejected.append(
                returnedFrom(item, Text::tr("Queue %1 refuses this copy; the queue may be full.").arg(destination)));
    }
    co_return Result<>();
}

// `way`: the exchange that fills the queue.
Task<Result<QCborArray>> Forwarder::readAll(QString queue, QString way)
{
    CO_TRY(const qint64 count, co_await m_queues.count(queue));
    if (count == 0)
        co_return QCborArray();
    const WholeOrder order{queue, count, way, m_names.exchangesOf010()};
    const Result<QCborArray> items = co_await readWhole(m_api, order);
    co_return items;
}

Task<Result<>> Forwarder::readUnroutable(ForwardReport &report)
{
    CO_TRY(const QCborArray items, co_await readAll(m_names.unroutable, m_names.returnExchange));
    CO_TRY(const auto reasons, co_await notProvedMissing(destinationsIn(items)));
    for (const QCborValue &value : items) {
        const QCborMap item = value.toMap();
        if (isEnd(item, m_endUnroutable))
            continue;
        const QString destination = item.value(QLatin1String("routing_key")).toString();
        if (const auto refusal = m_mark.refused.constFind(destination); refusal != m_mark.refused.constEnd())
            report.ejected.append(returnedFrom(item, *refusal));
        else if (const auto reason = reasons.constFind(destination); reason != reasons.constEnd())
            report.kept.append(returnedFrom(item, *reason));
        else
            report.ejected.append(returnedFrom(item, Text::tr("Queue %1 does not exist.").arg(destination)));
    }
    co_return Result<>();
}

QSet<QString> Forwarder::destinationsIn(const QCborArray &items) const
{
    QSet<QString> destinations;
    for (const QCborValue &item : items) {
        const QString destination = item.toMap().value(QLatin1String("routing_key")).toString();
        const bool isEndMarker = destination.startsWith(ourPrefix); // also of another place of this store
        if (!isEndMarker && !m_mark.refused.contains(destination))
            destinations.insert(destination);
    }
    return destinations;
}

// From version 4 on, a queue whose node is down is bound like any other and refuses what comes. The node may be back by
// now, or have started only after forwarding began.
Task<Result<QHash<QString, QString>>> Forwarder::notRunning(QSet<QString> destinations)
{
    QHash<QString, QString> reasons;
    if (destinations.isEmpty())
        co_return reasons;
    CO_TRY(const ClusterIncarnation now, co_await m_marks.read(m_mark.node));
    for (const QString &destination : std::as_const(destinations)) {
        const Result<LiveQueue> queue = co_await m_queues.live(destination);
        if (!queue && queue.error().kind == ErrorKind::Cancelled)
            co_return fail(queue.error());
        if (!queue && queue.error().kind == ErrorKind::Transient)
            reasons.insert(destination, queue.error().message);
        const QStringList nodes = queue ? nodesOf(*queue, now) : QStringList();
        const auto other = std::find_if(nodes.cbegin(), nodes.cend(),
                                        [&](const QString &node) { return !now.isSameRun(m_mark.nodes, node); });
        if (other != nodes.cend())
            reasons.insert(
                destination,
                Text::tr("Queue %1 took no copies: its RabbitMQ node %2 was down meanwhile.").arg(destination, *other));
    }
    co_return reasons;
}

// A queue whose node is down, or that could not be bound, gets no copies either. Those that are not in the result are
// proved to be missing.
Task<Result<QHash<QString, QString>>> Forwarder::notProvedMissing(QSet<QString> destinations)
{
    QHash<QString, QString> reasons;
    for (const QString &destination : std::as_const(destinations)) {
        if (const auto noted = m_mark.unreachable.constFind(destination); noted != m_mark.unreachable.constEnd()) {
            reasons.insert(destination, *noted);
            continue;
        }
        Result<LiveQueue> queue = co_await m_queues.live(destination);
        for (int tries = 1; tries < proofTries && !queue && queue.error().kind == ErrorKind::Transient; ++tries)
            queue = co_await m_queues.live(destination); // perhaps only the answer was lost
        if (queue)
            reasons.insert(destination, Text::tr("Queue %1 took no copies for a moment.").arg(destination));
        else if (queue.error().kind != ErrorKind::NotFound)
            reasons.insert(destination, queue.error().message);
    }
    co_return reasons;
}

Task<Result<>> Forwarder::readDead(ForwardReport &report)
{
    CO_TRY(const QCborArray items, co_await readAll(m_names.dead, QString()));
    for (const QCborValue &value : items) {
        const QCborMap item = value.toMap();
        QString destination = item.value(QLatin1String("routing_key")).toString();
        if (destination == m_names.dead) {
            const ReceivedMessage held = heldFrom(item);
            const QCborValue *deaths = records::find(held.envelope.headers, u"x-death");
            if (deaths != nullptr) {
                const QCborMap death = deaths->toArray().at(0).toMap();
                destination = death.value(QLatin1String("routing-keys")).toArray().at(0).toString();
            }
        }
        const QString reason = Text::tr("The copy for %1 was dead-lettered in the staging queue.");
        report.ejected.append(returnedFrom(item, reason.arg(destination)));
    }
    co_return Result<>();
}

Task<Result<QStringList>> Forwarder::nodesOfDestinations()
{
    CO_TRY(const QList<LiveQueue> queues, co_await m_api.liveQueues({}));
    QStringList nodes;
    for (const LiveQueue &queue : queues) {
        if (m_request.place.destinations.contains(queue.name))
            nodes += nodesOf(queue, m_mark.nodes);
    }
    nodes.removeDuplicates();
    co_return nodes;
}

// A restart of any node on the way doubles what had not been confirmed: of the staging queue, of a destination, of a shovel.
Task<Result<>> Forwarder::findInterruption(ForwardReport &report)
{
    CO_TRY(const ClusterIncarnation now, co_await m_marks.read(m_mark.node));
    QStringList nodes = m_mark.involved;
    nodes.append(m_mark.node);
    for (const QString &run : std::as_const(m_mark.watch.runs))
        nodes.append(run.section(QLatin1Char(' '), 0, 0));
    const bool isSame = std::all_of(nodes.cbegin(), nodes.cend(), [&](const QString &node) {
        // A node that was not up at the start is no part of what was forwarded then.
        return !m_mark.nodes.of(node) || now.isSameRun(m_mark.nodes, node);
    });
    report.interrupted = m_mark.watch.broke || !isSame;
    co_return Result<>();
}

} // namespace broker::rabbitmq
