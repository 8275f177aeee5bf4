#include "backend/broker/rabbitmq/holding.h"

#include "backend/broker/rabbitmq/pagereader.h"
#include "backend/broker/rabbitmq/together.h"

#include <QCoreApplication>

using namespace std::chrono_literals;

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

constexpr auto firstPoll = 30ms;
constexpr auto slowestPoll = 400ms; // and how often more than the shovel's end is looked at
constexpr auto quietAfter = 2s; // nothing moves and nothing is in flight
constexpr auto givenUpAfter = 20s; // nothing moves though something is in flight, with us or with others
constexpr auto startWithin = core::limits::shovelStart;
constexpr int closingRounds = 3; // of a queue that is read as empty and is not

QString tr(const char *text)
{
    return QCoreApplication::translate("rabbitmq", text);
}

QString noteOf(const LiveQueue &queue)
{
    return queue.arguments.value(QLatin1String("x-redrive")).toString();
}

} // namespace

QString refusalOf(const LiveQueue &queue)
{
    if (queue.type == QLatin1String("stream"))
        return tr("A stream keeps its messages: they cannot be taken from it.");
    if (queue.exclusive)
        return tr("The queue belongs to one connection only.");
    if (queue.name == QLatin1String(".") || queue.name == QLatin1String(".."))
        return tr("RabbitMQ's HTTP interface cannot address a queue of this name.");
    return {};
}

Holding::Holding(ManagementApi &api, core::Clock &clock, core::Timers &timers, core::Random &random)
    : m_api(api)
    , m_clock(clock)
    , m_timers(timers)
    , m_random(random)
    , m_queues(api)
    , m_policies(api)
    , m_shovels(api, timers)
    , m_marks(api, clock)
{
}

Task<Result<>> Holding::pause(core::Milliseconds duration)
{
    const core::Pending<Result<>> sleeping = m_timers.sleep(duration);
    const Result<> slept = co_await sleeping;
    co_return slept;
}

Task<Result<qint64>> Holding::averageBytes(QString queue)
{
    // Statistics are seconds old: good enough for an estimate, and never for a decision about messages.
    const Result<QCborValue> found =
        co_await m_api.get(m_api.queuePath(queue) + "?columns=messages,message_bytes", tr("queue %1").arg(queue));
    if (!found)
        co_return fail(found.error());
    const qint64 messages = found->toMap().value(QLatin1String("messages")).toInteger();
    const qint64 bytes = found->toMap().value(QLatin1String("message_bytes")).toInteger();
    co_return messages > 0 && bytes > 0 ? bytes / messages + 1 : 0;
}

bool Holding::isExact(const LiveQueue &queue)
{
    return queue.type != QLatin1String("quorum"); // whose live totals may say 0 while it holds messages
}

Task<Result<Ahead>> Holding::start(TakeRequest request, LiveQueue source)
{
    if (const QString refusal = refusalOf(source); !refusal.isEmpty())
        co_return fail(ErrorKind::Refused, refusal);
    if (!source.messages)
        co_return fail(ErrorKind::Transient,
                       tr("RabbitMQ does not say yet how many messages lie in %1.").arg(request.queue));
    // Of a quorum queue as many as asked are awaited until it is quiet.
    const qint64 ready = *source.messages - source.unacknowledged;
    if (isExact(source) && ready <= 0)
        co_return Ahead::Nothing;
    std::vector<Task<Result<>>> looks;
    looks.push_back(m_policies.guard(request.holdingName));
    looks.push_back(m_queues.noAlarm());
    const Task<Result<qint64>> averaging = averageBytes(request.queue);
    const Task<Result<NodeMark>> marking = m_marks.read(source.node);
    const Result<> allowed = co_await together(std::move(looks));
    const Result<qint64> average = co_await averaging;
    const Result<NodeMark> mark = co_await marking;
    if (!allowed)
        co_return fail(allowed.error());
    if (!average)
        co_return fail(average.error());
    if (!mark)
        co_return fail(mark.error());
    qint64 count = isExact(source) ? std::min<qint64>(request.limit, ready) : request.limit;
    if (request.byteLimit > 0 && *average > 0)
        count = std::clamp<qint64>(request.byteLimit / *average, 1, count);
    // Native ids carry the first part, so that those of a queue made again under the same name never look alike.
    const QString note =
        m_random.hexId().left(8) + QLatin1Char('|') + QString::number(count) + QLatin1Char('|') + mark->toText();
    const QCborMap arguments{{QStringLiteral("x-redrive"), note}};
    const Result<> queue = co_await m_queues.declareQueue(request.holdingName, arguments);
    if (!queue)
        co_return fail(queue.error());
    const Result<> exchange = co_await m_queues.declareExchange(request.holdingName, QStringLiteral("fanout"), {});
    if (!exchange)
        co_return fail(exchange.error());
    const Result<> bound = co_await m_queues.bind(request.holdingName, request.holdingName, {});
    if (!bound)
        co_return fail(bound.error());
    const ShovelOrder order{request.holdingName, request.queue, request.holdingName, count};
    const Result<> moving = co_await m_shovels.start(order);
    if (!moving)
        co_return fail(moving.error());
    co_return ready > count ? Ahead::Part : Ahead::AllThereWas;
}

Task<Result<Ahead>> Holding::hold(TakeRequest request)
{
    const Task<Result<LiveQueue>> looking = m_queues.live(request.queue);
    const Result<LiveQueue> held = co_await m_queues.live(request.holdingName);
    const Result<LiveQueue> source = co_await looking;
    if (held)
        co_return Ahead::Part;
    if (held.error().kind != ErrorKind::NotFound)
        co_return fail(held.error());
    if (!source)
        co_return fail(source.error());
    // A quorum queue may hold some all the same: worth waiting for only where nothing else is to do.
    if (source->messages.value_or(0) - source->unacknowledged <= 0)
        co_return Ahead::Nothing;
    const Result<Ahead> started = co_await start(request, *source);
    if (!started || *started == Ahead::Nothing)
        co_return started;
    const Result<> settled = co_await settle(request);
    if (!settled)
        co_return fail(settled.error());
    co_return started;
}

Task<Result<HeldPage>> Holding::take(TakeRequest request)
{
    const QString name = request.holdingName;
    // First the shovel, then the count: so an empty queue without a shovel is one that nothing will come to any more, but for
    // what a process that died has sent and the broker has not seen yet.
    const Result<bool> moving = co_await m_shovels.isDefined(name);
    if (!moving)
        co_return fail(moving.error());
    const Result<LiveQueue> held = co_await m_queues.live(name);
    if (!held && held.error().kind != ErrorKind::NotFound)
        co_return fail(held.error());
    if (held && !OurQueues::isOurs(*held))
        co_return fail(ErrorKind::Conflict, tr("The queue %1 is not the one that was made by Redrive.").arg(name));
    if (!*moving && held && held->messages.value_or(1) == 0) {
        // A crash left it empty: before its shovel was started, or after all of it was released. It is not filled again,
        // because native ids must not repeat; the caller goes on under a new name.
        const Result<bool> closed = co_await close(name);
        if (!closed)
            co_return fail(closed.error());
        if (*closed)
            co_return HeldPage{};
    }
    if (!*moving && !held) {
        const Result<LiveQueue> source = co_await m_queues.live(request.queue);
        if (!source)
            co_return fail(source.error());
        const Result<Ahead> started = co_await start(request, *source);
        if (!started)
            co_return fail(started.error());
        if (*started == Ahead::Nothing)
            co_return HeldPage{};
    }
    for (int round = 0; round < closingRounds; ++round) {
        const Result<> settled = co_await settle(request);
        if (!settled)
            co_return fail(settled.error());
        const Result<LiveQueue> full = co_await m_queues.live(name);
        if (!full)
            co_return fail(full.error());
        const Result<HeldPage> page = co_await read(request, *full);
        if (!page || !page->messages.isEmpty())
            co_return page;
        const Result<bool> closed = co_await close(name);
        if (!closed)
            co_return fail(closed.error());
        if (*closed)
            co_return page;
    }
    // Somebody else has what lies there in his hands: a person who looks into the queue, say.
    co_return fail(ErrorKind::Conflict, tr("The queue %1 is not empty.").arg(name));
}

Task<Result<>> Holding::settle(TakeRequest request)
{
    core::Milliseconds poll = firstPoll;
    qint64 last = -1;
    core::TimePoint movedAt = m_clock.now();
    core::TimePoint lookAt = movedAt + slowestPoll;
    while (true) {
        const Result<bool> defined = co_await m_shovels.isDefined(request.holdingName);
        if (!defined)
            co_return fail(defined.error());
        if (!*defined)
            co_return Result<>();
        if (m_clock.now() < lookAt) {
            const Result<> slept = co_await pause(poll);
            if (!slept)
                co_return slept;
            poll = std::min<core::Milliseconds>(poll * 3 / 2, slowestPoll);
            continue;
        }
        lookAt = m_clock.now() + slowestPoll;
        const Result<LiveQueue> held = co_await m_queues.live(request.holdingName);
        if (!held)
            co_return fail(held.error());
        const Result<LiveQueue> source = co_await m_queues.live(request.queue);
        const bool gone = !source && source.error().kind == ErrorKind::NotFound;
        if (!source && !gone)
            co_return fail(source.error());
        const qint64 now = held->messages.value_or(0);
        if (now != last) {
            last = now;
            movedAt = m_clock.now();
        }
        const core::Milliseconds still = m_clock.now() - movedAt;
        const qint64 wanted = noteOf(*held).section(QLatin1Char('|'), 1, 1).toLongLong();
        // A shovel that was asked for n and never moved one may still be starting; one that the broker itself started
        // again counts anew and would take more than n.
        const bool started = now > 0 || still >= startWithin;
        const bool quiet = started && (gone || source->unacknowledged == 0) && still >= quietAfter;
        if (quiet || still >= givenUpAfter || (now > wanted && wanted > 0)) {
            const Result<> down = co_await m_shovels.takeDown(request.holdingName);
            co_return down;
        }
    }
}

Task<Result<HeldPage>> Holding::read(TakeRequest request, LiveQueue held)
{
    if (!held.messages)
        co_return fail(ErrorKind::Transient,
                       tr("RabbitMQ does not say yet how many messages lie in %1.").arg(held.name));
    const QString note = noteOf(held);
    const PageOrder order{held.name, *held.messages, request.limit, request.byteLimit,
                          note.section(QLatin1Char('|'), 0, 0)};
    const Result<QList<Held>> messages = co_await readPage(m_api, order);
    if (!messages)
        co_return fail(messages.error());
    const Task<Result<NodeMark>> marking = m_marks.read(held.node);
    const Result<LiveQueue> source = co_await m_queues.live(request.queue);
    const Result<NodeMark> now = co_await marking;
    if (!source && source.error().kind != ErrorKind::NotFound)
        co_return fail(source.error());
    if (!now)
        co_return fail(now.error());
    HeldPage page;
    page.messages = *messages;
    page.more = page.messages.size() < *held.messages || (source && source->messages.value_or(1) > 0);
    const std::optional<NodeMark> then = NodeMark::from(note.section(QLatin1Char('|'), 2));
    page.interrupted = !then || !then->isSameRun(*now);
    co_return page;
}

// Removes what holds nothing. The shovel may yet be asked for, by a request of a process that died: so first the way in, without
// which it moves nothing, and the queue only if nothing has come meanwhile. False: something has.
Task<Result<bool>> Holding::close(QString name)
{
    const Result<> exchange = co_await m_queues.removeExchange(name);
    if (!exchange)
        co_return fail(exchange.error());
    const Result<bool> moving = co_await m_shovels.isDefined(name);
    if (!moving)
        co_return fail(moving.error());
    if (*moving) {
        const Result<> down = co_await m_shovels.takeDown(name);
        if (!down)
            co_return fail(down.error());
    }
    const Result<> queue = co_await m_queues.removeQueueIfEmpty(name);
    if (queue)
        co_return true;
    if (queue.error().kind == ErrorKind::Conflict)
        co_return false;
    co_return fail(queue.error());
}

Task<Result<>> Holding::removeIfEmpty(QString name)
{
    const Result<qint64> left = co_await m_queues.count(name);
    if (!left && left.error().kind != ErrorKind::NotFound)
        co_return fail(left.error());
    if (left && *left > 0)
        co_return Result<>(); // the next page
    const Result<> exchange = co_await m_queues.removeExchange(name);
    if (!exchange)
        co_return exchange;
    const Result<> queue = co_await m_queues.removeQueueIfEmpty(name);
    co_return queue;
}

Task<Result<>> Holding::release(TakeRequest request, HeldPage page)
{
    if (page.messages.isEmpty()) {
        const Result<bool> closed = co_await close(request.holdingName);
        if (!closed)
            co_return fail(closed.error());
        if (!*closed)
            co_return fail(ErrorKind::Conflict, tr("The queue %1 is not empty.").arg(request.holdingName));
        co_return Result<>();
    }
    // The token is the number of messages behind: so we know what is left to do after an answer that never came.
    const qint64 before = page.messages.first().settleToken.toLongLong() + 1;
    const qint64 after = before - page.messages.size();
    if (after == 0) { // it is about to be purged: without its exchange nothing can come in any more
        const Result<> closed = co_await m_queues.removeExchange(request.holdingName);
        if (!closed)
            co_return closed;
    }
    const Result<qint64> count = co_await m_queues.count(request.holdingName);
    if (!count && count.error().kind != ErrorKind::NotFound)
        co_return fail(count.error());
    const qint64 there = count ? *count : after;
    if (there > before || there < after) {
        co_return fail(ErrorKind::Conflict,
                       tr("The holding queue %1 was changed by somebody else: it holds %2 messages instead of %3.")
                           .arg(request.holdingName, QString::number(there), QString::number(before)));
    }
    if (after == 0 && count) {
        const Result<> gone = co_await removeAll(request.holdingName);
        co_return gone;
    }
    if (there > after) {
        const Result<> cut = co_await removeHead(request.holdingName, there - after);
        if (!cut)
            co_return cut;
    }
    const Result<> removed = co_await removeIfEmpty(request.holdingName);
    co_return removed;
}

// Reading a thousand messages once more to remove them costs the broker as much as reading them: all that there is goes at once.
// The exchange has gone already.
Task<Result<>> Holding::removeAll(QString name)
{
    const Result<> purged = co_await m_api.purge(name);
    if (!purged)
        co_return purged;
    const Result<> removed = co_await m_queues.removeQueueIfEmpty(name);
    if (!removed && removed.error().kind == ErrorKind::Conflict)
        co_return Result<>(); // what is in it now is the next page
    co_return removed;
}

Task<Result<>> Holding::removeHead(QString name, qint64 count)
{
    const PeekOptions head{int(count), true, 1};
    const Result<QCborArray> removed = co_await m_api.peek(name, head);
    if (!removed)
        co_return fail(removed.error());
    if (removed->size() != count)
        co_return fail(ErrorKind::Transient, tr("Not all messages of %1 could be removed yet.").arg(name));
    co_return Result<>();
}

Task<Result<>> Holding::putBack(TakeRequest request)
{
    // Through an exchange of its own, as on the way here: the routing keys of the messages stay what they were.
    const QString back = request.holdingName + QLatin1String(".back");
    const Result<qint64> count = co_await m_queues.count(request.holdingName);
    if (!count && count.error().kind != ErrorKind::NotFound)
        co_return fail(count.error());
    if (count && *count > 0) {
        const Result<> exchange = co_await m_queues.declareExchange(back, QStringLiteral("fanout"), {});
        if (!exchange)
            co_return exchange;
        const Result<> bound = co_await m_queues.bind(back, request.queue, {});
        if (!bound)
            co_return bound;
        const ShovelOrder order{back, request.holdingName, back, std::nullopt};
        const Result<> started = co_await m_shovels.start(order);
        if (!started)
            co_return started;
    }
    for (core::Milliseconds waited{0}; waited < 30s; waited += 100ms) {
        const Result<bool> defined = co_await m_shovels.isDefined(back);
        if (!defined)
            co_return fail(defined.error());
        if (!*defined)
            break;
        const Result<> slept = co_await pause(100ms);
        if (!slept)
            co_return slept;
    }
    const Result<> down = co_await m_shovels.takeDown(back);
    if (!down)
        co_return down;
    const Result<> exchange = co_await m_queues.removeExchange(back);
    if (!exchange)
        co_return exchange;
    const Result<> removed = co_await removeIfEmpty(request.holdingName);
    if (!removed)
        co_return removed;
    const Result<qint64> left = co_await m_queues.count(request.holdingName);
    if (left && *left > 0)
        co_return fail(
            ErrorKind::Conflict,
            tr("The queue %1 does not take %2 of its messages back.").arg(request.queue, QString::number(*left)));
    co_return Result<>();
}

} // namespace broker::rabbitmq
