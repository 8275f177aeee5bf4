#include "backend/broker/rabbitmq/holding/holding.h"

#include "backend/broker/rabbitmq/holding/holdingnote.h"
#include "backend/broker/rabbitmq/holding/pagereader.h"
#include "backend/broker/rabbitmq/http/answers.h"
#include "backend/broker/rabbitmq/staging/whenall.h"
#include "backend/broker/rabbitmq/text.h"
#include "backend/core/limits.h"
#include "backend/core/text/losslessjson.h"
#include "backend/core/time/laterequests.h"

#include <algorithm>

using namespace std::chrono_literals;

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

constexpr auto firstPoll = 30ms;
constexpr auto slowestPoll = 400ms; // also the interval of the more expensive checks
// a shovel is quiet if nothing moves and nothing is unconfirmed for so long
constexpr core::Milliseconds quietAfter = 2s;
constexpr core::Milliseconds quietAfterOld = 8s; // for queues whose unconfirmed messages are reported up to 5 s late
constexpr core::Milliseconds countedAfter = 6s; // statistics of that age have been replaced
constexpr auto givenUpAfter = 20s; // nothing moves, although messages are unconfirmed, ours or those of others
constexpr auto startWithin = core::limits::shovelStart;
constexpr int closingRounds = 3; // rounds for a queue that reads as empty and is not

// The counts of a quorum queue are as old as its statistics.
core::Milliseconds quietAfterOf(const LiveQueue &source)
{
    return source.isExact() ? quietAfter : quietAfterOld;
}

// Taking needs no right to read the queue.
bool mayNotLook(const core::Error &error)
{
    return error.kind == ErrorKind::Unauthorized || error.kind == ErrorKind::Rejected;
}

} // namespace

Holding::Holding(ManagementApi &api, Shovels &shovels, core::Clock &clock, core::Timers &timers, core::Random &random)
    : m_api(api)
    , m_clock(clock)
    , m_timers(timers)
    , m_held(api, shovels, clock, random)
    , m_queues(m_held.queues())
    , m_policies(api)
    , m_quotas(api)
    , m_shovels(shovels)
    , m_marks(api, clock)
    , m_since(clock.steady())
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
    // Statistics are seconds old: good enough for an estimate, never for a decision about messages.
    CO_TRY(const QCborValue found, co_await m_api.get(m_api.queuePath(queue) + "?columns=messages,message_bytes",
                                                      Text::tr("queue %1").arg(queue)));
    const qint64 messages = core::integerOf(found.toMap().value(QLatin1String("messages")));
    const qint64 bytes = core::integerOf(found.toMap().value(QLatin1String("message_bytes")));
    co_return messages > 0 && bytes > 0 ? std::min(bytes / messages, core::limits::responseBytes) + 1 : 0;
}

// Of a queue with a delivery limit that shows nothing to take. A shovel that finds nothing, or only messages that others hold, would
// use up deliveries all the same; and only counts that are newer prove that it is empty.
Task<Result<LiveQueue>> Holding::whenCounted(LiveQueue source, bool looksCost)
{
    const core::SteadyTime end = m_clock.steady() + countedAfter;
    while (m_clock.steady() < end) {
        CO_TRY(co_await pause(slowestPoll));
        CO_TRY(source, co_await m_queues.live(source.name));
        if (looksCost && source.ready() > 0)
            break;
    }
    co_return source;
}

// The counts of a quorum queue are as old as its statistics, but an answer with its first message says how many are behind
// it. Where that may count as a delivery and the queue has a limit, it is not asked: where its statistics say too little, the
// next page takes the rest, and where they say too much, its shovel is removed once it is quiet.
Task<Result<std::optional<qint64>>> Holding::readyIn(LiveQueue source, bool looksCost)
{
    const qint64 reported = source.ready();
    if (!source.isExact() && looksCost)
        co_return std::optional(reported);
    if (source.isExact()) {
        if (!source.messages)
            co_return fail(ErrorKind::Transient,
                           Text::tr("RabbitMQ does not report the message count of %1 yet.").arg(source.name));
        co_return std::optional(reported);
    }
    const Result<QCborArray> head = co_await headOf(m_api, source.name);
    if (!head && mayNotLook(head.error()))
        co_return std::optional<qint64>();
    if (!head)
        co_return fail(head.error());
    if (head->isEmpty())
        co_return std::optional<qint64>(0);
    const QCborValue behind = head->at(0).toMap().value(QLatin1String("message_count"));
    co_return std::optional(std::clamp<qint64>(core::integerOf(behind), 0, std::numeric_limits<int>::max()) + 1);
}

// Before a message that breaks a shovel all others are taken one by one, so that none of them arrives twice. In a classic queue
// a look at the head tells whether somebody took it out. In a quorum queue another message may be at the head, because what comes
// back goes behind what came back before: only a smaller count tells, as where the account may not look.
Task<Result<>> Holding::firstIsReadable(LiveQueue source)
{
    if (!m_unreadable.value(source.name).isFirst)
        co_return Result<>();
    bool counts = !source.isExact();
    if (!counts) {
        const Result<QCborArray> head = co_await headOf(m_api, source.name);
        counts = !head && mayNotLook(head.error());
        if (!head && !counts)
            co_return fail(head.error().kind == ErrorKind::Refused ? unreadableIn(source) : head.error());
    }
    if (counts && !hasShrunk(source)) {
        const Result<> refused = co_await refuse(source);
        co_return refused;
    }
    m_unreadable.remove(source.name);
    co_return Result<>();
}

Task<Result<qint64>> Holding::countFor(TakeRequest request, std::optional<qint64> ready)
{
    CO_TRY(const qint64 average, co_await averageBytes(request.queue));
    const qint64 count = std::min<qint64>(request.limit, ready.value_or(request.limit));
    if (request.byteLimit > 0 && average > 0)
        co_return std::clamp<qint64>(request.byteLimit / average, 1, count);
    co_return count;
}

Task<Result<Holding::Started>> Holding::start(TakeRequest request, LiveQueue source, bool mayWait)
{
    if (const QString refusal = refusalOf(source); !refusal.isEmpty())
        co_return fail(ErrorKind::Refused, refusal);
    CO_TRY(const ReturnRules rules, co_await returnRulesNow(m_api, source));
    const std::optional<records::DeliveryLimit> &limit = rules.limit;
    const bool isLimited = limit || rules.delay; // what the shovel has in hand should be little
    const bool isFirst = m_unreadable.value(request.queue).isFirst;
    const bool movesOthers =
        m_unreadable.contains(request.queue) && !source.isExact(); // a look puts the next one behind it
    const bool looksCost = rules.looksCost() || movesOthers;
    CO_TRY(std::optional<qint64> ready, co_await readyIn(source, looksCost));
    if ((isLimited || looksCost) && mayWait && ready && *ready <= 0) {
        CO_TRY(source, co_await whenCounted(source, looksCost));
        CO_TRY(ready, co_await readyIn(source, looksCost));
    }
    const qint64 reported = source.ready();
    if (ready ? *ready <= 0 : !mayWait && reported <= 0) {
        if (mayWait && source.messages == 0)
            m_unreadable.remove(request.queue);
        else if (mayWait && isFirst) // others hold it
            CO_TRY(co_await refuse(source));
        Started nothing;
        nothing.mayHaveRest = isLimited && source.messages.value_or(1) > 0;
        co_return nothing;
    }
    CO_TRY(co_await firstIsReadable(source));
    std::vector<Task<Result<>>> looks;
    const QStringList ours{HeldQueues::exampleOf(request.holdingName)};
    looks.push_back(m_policies.guard(ours));
    looks.push_back(m_quotas.roomFor(ours));
    looks.push_back(m_queues.noAlarm());
    const Task<Result<qint64>> counting = countFor(request, ready);
    const Task<Result<ClusterIncarnation>> marking = m_marks.readWhenTold(source.node, m_timers, request.waiting);
    const Result<> allowed = co_await whenAll(std::move(looks));
    const Result<qint64> count = co_await counting;
    const Result<ClusterIncarnation> marks = co_await marking;
    if (!allowed)
        co_return fail(allowed.error());
    if (!count)
        co_return fail(count.error());
    if (!marks)
        co_return fail(marks.error());
    const HeldQueues::Filling filling{*count, marks->toText(source.node), isLimited,
                                      m_unreadable.contains(request.queue)};
    CO_TRY(accept(request, limit, filling));
    CO_TRY(const QString queue, co_await m_held.fill(request, filling));
    m_asked.insert(queue, std::nullopt);
    const bool isPart = ready.value_or(reported) > *count;
    co_return Started{isPart ? PrefetchResult::Part : PrefetchResult::AllThereWas, queue, isPart};
}

Result<> Holding::accept(const TakeRequest &request, const std::optional<records::DeliveryLimit> &limit,
                         const HeldQueues::Filling &filling)
{
    return limit && request.risk ? request.risk(*limit, HeldQueues::inHandOf(filling)) : Result<>{};
}

Task<Result<PrefetchResult>> Holding::prefetch(TakeRequest request)
{
    const Task<Result<LiveQueue>> looking = m_queues.live(request.queue);
    const Result<HeldQueues::Found> held = co_await m_held.find(request);
    const Result<LiveQueue> source = co_await looking;
    if (!held)
        co_return fail(held.error());
    if (!held->queues.isEmpty())
        co_return PrefetchResult::Part;
    if (!source)
        co_return fail(source.error());
    // Waiting for messages that are not counted is only worth it if nothing else is to do.
    const Result<Started> started = co_await start(request, *source, false);
    if (!started && isRoomAwaited(started.error()))
        co_return PrefetchResult::Nothing; // perhaps the shovel of the page before is in the way: take() tells
    if (!started)
        co_return fail(started.error());
    if (!started->queue.isEmpty())
        CO_TRY(co_await settle(request, started->queue));
    // Its page may be empty, so that take() starts another shovel: the next page must not have one at that time.
    if (m_unreadable.contains(request.queue))
        co_return PrefetchResult::AllThereWas;
    co_return started->result;
}

Task<Result<ReceivedPage>> Holding::take(TakeRequest request)
{
    CO_TRY(HeldQueues::Found held, co_await m_held.find(request));
    QString name;
    if (const LiveQueue *next = held.next()) {
        name = next->name;
    } else if (!held.queues.isEmpty() || !held.shovels.isEmpty() || held.vanished > 0) {
        Result<ReceivedPage> page = co_await takeEmpty(request, held);
        if (page)
            page = co_await takeAgain(request, std::move(*page));
        co_return page;
    } else if (request.onlyHeld) {
        co_return ReceivedPage{};
    } else {
        CO_TRY(const LiveQueue source, co_await m_queues.live(request.queue));
        CO_TRY(const Started started, co_await start(request, source, true));
        if (started.queue.isEmpty()) {
            ReceivedPage none;
            none.more = started.mayHaveRest;
            co_return none;
        }
        name = started.queue;
    }
    Result<ReceivedPage> page = co_await takeFrom(request, name);
    if (page)
        page = co_await takeAgain(request, std::move(*page));
    if (page || page.error().kind != ErrorKind::NotFound)
        co_return page;
    CO_TRY(held, co_await m_held.find(request));
    if (held.vanished > 0)
        page = co_await takeEmpty(request, held);
    co_return page;
}

// Where a message that breaks shovels left the page empty: either it is the first one, which start() refuses, or those before it
// go one by one. What the empty page said is said by the next one.
Task<Result<ReceivedPage>> Holding::takeAgain(TakeRequest request, ReceivedPage before)
{
    if (!before.messages.isEmpty() || request.onlyHeld || !m_unreadable.contains(request.queue))
        co_return before;
    CO_TRY(const LiveQueue source, co_await m_queues.live(request.queue));
    const Result<Started> started = co_await start(request, source, true);
    if (!started && before.trouble)
        co_return before; // nobody else tells of that; the next call is refused, too
    if (!started)
        co_return fail(started.error());
    if (started->queue.isEmpty())
        co_return before;
    Result<ReceivedPage> page = co_await takeFrom(request, started->queue);
    if (!page && page.error().kind == ErrorKind::Refused && before.trouble)
        co_return before; // likewise
    if (!page)
        co_return page;
    page->interrupted = page->interrupted || before.interrupted;
    if (!page->trouble)
        page->trouble = before.trouble;
    if (page->messages.isEmpty() && !page->trouble && m_unreadable.contains(request.queue))
        CO_TRY(co_await refuse(request.queue));
    co_return page;
}

// A crash left it empty, before its shovel was started or after all of it was released, or the broker lost what it held. It is
// not filled again, because native ids must not repeat; the caller goes on with a new name.
Task<Result<ReceivedPage>> Holding::takeEmpty(TakeRequest request, HeldQueues::Found held)
{
    bool interrupted = false;
    std::optional<core::Error> lost;
    if (held.vanished > 0)
        lost = lostOf(request.queue, held.vanished);
    for (const LiveQueue &queue : std::as_const(held.queues)) {
        const Result<bool> was = co_await isInterrupted(queue);
        interrupted = interrupted || !was || *was;
        CO_TRY(const bool isLost, co_await hasLostAll(queue));
        if (isLost)
            lost = lostOf(request.queue, askedFor(queue));
    }
    CO_TRY(const Closed closed, co_await close(request, held));
    if (!closed.left.isEmpty()) {
        Result<ReceivedPage> page = co_await takeFrom(request, closed.left);
        co_return page;
    }
    Result<ReceivedPage> none = co_await nothingFrom(request.queue);
    if (none) {
        none->interrupted = interrupted || closed.metShovel;
        none->trouble = lost;
    }
    co_return none;
}

// A restart keeps what is on the disk of the node. What was released is in the store.
Task<Result<bool>> Holding::hasLostAll(LiveQueue held)
{
    if (held.messages != 0 || !isOfOnePage(partOf(held)) || m_released.contains(held.name))
        co_return false;
    CO_TRY(const ClusterIncarnation now, co_await m_marks.read(held.node));
    const ClusterIncarnation then = ClusterIncarnation::from(noteOf(held).section(QLatin1Char('|'), 2));
    co_return then.of(held.node) && !now.isSameRun(then, held.node);
}

core::Error Holding::lostOf(const QString &source, qint64 most)
{
    const QString text =
        Text::tr("RabbitMQ may have lost up to %1 messages of %2: they waited in a holding queue of Redrive, "
                 "and its node came back without them, or somebody deleted it.");
    return {ErrorKind::NotFound, text.arg(QString::number(most), source), {}, {}};
}

// An empty page proves nothing: others may hold what the source has.
Task<Result<ReceivedPage>> Holding::nothingFrom(QString source)
{
    ReceivedPage none;
    const Result<LiveQueue> left = co_await m_queues.live(source);
    if (!left && left.error().kind != ErrorKind::NotFound)
        co_return fail(left.error());
    none.more = left && left->messages.value_or(1) > 0;
    co_return none;
}

Task<Result<ReceivedPage>> Holding::takeFrom(TakeRequest request, QString name)
{
    for (int round = 0; round < closingRounds; ++round) {
        CO_TRY(co_await settle(request, name));
        CO_TRY(const LiveQueue full, co_await m_queues.live(name));
        Result<ReceivedPage> page = co_await read(request, full);
        if (!page || !page->messages.isEmpty())
            co_return page;
        CO_TRY(const bool isLost, co_await hasLostAll(full));
        const HeldQueues::Found empty{{full}, {}};
        CO_TRY(const Closed closed, co_await close(request, empty));
        if (!closed.left.isEmpty())
            continue;
        if (isLost)
            page->trouble = lostOf(request.queue, askedFor(full));
        else if (!request.onlyHeld && m_unreadable.value(request.queue).isFirst)
            CO_TRY(co_await refuse(request.queue));
        co_return page;
    }
    // Another consumer holds the messages: for example a person who browses the queue.
    co_return fail(ErrorKind::Conflict, Text::tr("The holding queue %1 still has messages, but another consumer holds "
                                                 "them: close that consumer and take again.")
                                            .arg(name));
}

// Waits until the shovel is gone and cannot start again: under the name of a page that was removed, it would stay for ever.
Task<Result<>> Holding::settle(TakeRequest request, QString name)
{
    core::Milliseconds poll = firstPoll;
    qint64 last = -1;
    core::SteadyTime movedAt = m_clock.steady();
    core::SteadyTime lookAt = movedAt + slowestPoll;
    while (true) {
        const bool isTime = m_clock.steady() >= lookAt;
        const bool mayStillStart = m_held.mayStillStart(request.holdingName);
        const Task<Result<>> watching = watch(request.queue, name, isTime);
        const Result<bool> defined = co_await m_shovels.isDefined(name);
        const Result<> watched = co_await watching;
        if (!defined)
            co_return fail(defined.error());
        if (!*defined && !mayStillStart) {
            m_held.allHasArrived(request.holdingName);
            co_return Result<>();
        }
        if (!*defined) {
            CO_TRY(co_await pause(slowestPoll));
            movedAt = m_clock.steady(); // one that starts now begins anew
            continue;
        }
        if (!watched)
            co_return watched;
        if (!isTime) {
            CO_TRY(co_await pause(poll));
            poll = std::min<core::Milliseconds>(poll * 3 / 2, slowestPoll);
            continue;
        }
        lookAt = m_clock.steady() + slowestPoll;
        CO_TRY(const LiveQueue held, co_await m_queues.live(name));
        const Result<LiveQueue> source = co_await m_queues.live(request.queue);
        const bool gone = !source && source.error().kind == ErrorKind::NotFound;
        if (!source && !gone)
            co_return fail(source.error());
        const qint64 now = held.messages.value_or(0);
        if (now != last) {
            last = now;
            movedAt = m_clock.steady();
        }
        const core::Milliseconds still = m_clock.steady() - movedAt;
        // A shovel that has not moved any message may still be starting. A shovel that the broker restarted counts from
        // 0 again and would take more than requested.
        const ShovelWatch seen = m_watches.value(name);
        const bool runs = seen.runs.contains(name) && !seen.broke; // one that broke is started again after its rest
        const bool started = now > 0 || runs || still >= startWithin;
        const bool quiet =
            started && still >= (gone ? quietAfter : quietAfterOf(*source)) && (gone || source->unacknowledged == 0);
        const bool tooMuch = now > askedFor(held);
        const bool isOver = m_over.contains(name);
        if (quiet || tooMuch || isOver || still >= givenUpAfter)
            CO_TRY(co_await takeDown(name, !quiet));
    }
}

// Asks for the run of the shovel until it is known, because a shovel may break in its first second; after that only
// when `isTime`.
Task<Result<>> Holding::watch(QString source, QString name, bool isTime)
{
    if (!isTime && !m_watches[name].runs.isEmpty())
        co_return Result<>();
    CO_TRY(const ShovelState shovel, co_await m_shovels.state(name));
    const bool knownBroken = m_watches[name].broke;
    m_watches[name].note(name, shovel);
    if (shovel.state == QLatin1String("terminated") && !m_over.contains(name)) {
        CO_TRY(const bool isOver, co_await m_shovels.startsOnce(name));
        const bool metUnreadable = isUnreadable(shovel.reason);
        if (isOver || metUnreadable)
            m_over.insert(name);
        if (metUnreadable)
            noteUnreadable(source);
    }
    if (knownBroken || !m_watches[name].broke)
        co_return Result<>();
    const Result<> noted = co_await noteInterruption(name);
    co_return noted;
}

// The unconfirmed messages of a busy shovel go back to the source, and their copies may be in the holding queue
// already.
Task<Result<>> Holding::takeDown(QString name, bool isBusy)
{
    if (isBusy)
        CO_TRY(co_await noteInterruption(name));
    const Result<> down = co_await m_shovels.takeDown(name);
    co_return down;
}

Task<Result<ReceivedPage>> Holding::read(TakeRequest request, LiveQueue held)
{
    if (!held.messages)
        co_return fail(ErrorKind::Transient,
                       Text::tr("RabbitMQ does not report the message count of %1 yet.").arg(held.name));
    const QString part = partOf(held);
    const PageOrder order{
        held.name, *held.messages, request.limit, request.byteLimit, part, true, knownWayInto(held.name, part)};
    CO_TRY(const QList<ReceivedMessage> messages, co_await readPage(m_api, order));
    const Task<Result<bool>> judging = isInterrupted(held);
    const Result<LiveQueue> source = co_await m_queues.live(request.queue);
    const Result<bool> interrupted = co_await judging;
    if (!source && source.error().kind != ErrorKind::NotFound)
        co_return fail(source.error());
    if (!interrupted)
        co_return fail(interrupted.error());
    ReceivedPage page;
    page.messages = messages;
    page.interrupted = *interrupted;
    page.hasRest = page.messages.size() < *held.messages;
    page.more = page.hasRest;
    if (source && !page.more) {
        CO_TRY(page.more, co_await isMoreIn(*source, held, *interrupted));
    }
    co_return page;
}

Task<Result<bool>> Holding::isMoreIn(LiveQueue source, LiveQueue held, bool interrupted)
{
    if (source.isExact())
        co_return source.messages.value_or(1) > 0;
    // Where the count is unknown: a shovel that moved as many as requested may have left some.
    const bool mayBe = held.messages.value_or(0) >= askedFor(held);
    CO_TRY(const ReturnRules rules, co_await returnRulesNow(m_api, source));
    if (m_unreadable.contains(source.name))
        co_return true; // the next call tells, and no look moves others behind it
    if (rules.looksCost()) // a shovel also gets nothing while others hold it back
        co_return mayBe || interrupted || source.messages.value_or(1) > 0;
    const Result<std::optional<qint64>> ready = co_await readyIn(source, false);
    if (!ready && ready.error().kind == ErrorKind::Refused)
        co_return true; // this page is whole; the next call says why it is the last
    if (!ready)
        co_return fail(ready.error());
    co_return *ready ? **ready > 0 : mayBe;
}

// A request of a process that died may still start a shovel. If there was one, its unconfirmed messages may be in the holding
// queue and in the source.
Task<Result<Holding::Closed>> Holding::close(TakeRequest request, HeldQueues::Found found)
{
    Closed closed;
    const std::function<void(const QString &)> broke = [this, &closed](const QString &shovel) {
        m_watches[shovel].broke = true;
        closed.metShovel = true;
    };
    CO_TRY(const QStringList left, co_await m_held.removeEmpty(request.holdingName, found, broke));
    for (const LiveQueue &queue : std::as_const(found.queues)) {
        if (!left.contains(queue.name))
            forget(queue.name);
    }
    closed.left = left.value(0);
    co_return closed;
}

Task<Result<>> Holding::removeIfEmpty(QString holdingName, QString name)
{
    const Result<qint64> left = co_await m_queues.count(name);
    if (!left && left.error().kind != ErrorKind::NotFound)
        co_return fail(left.error());
    if (left && *left > 0)
        co_return Result<>(); // what is left is the next page
    CO_TRY(co_await m_held.closeWay(name));
    const Result<> removed = co_await m_held.removeOne(holdingName, name);
    if (removed)
        forget(name);
    co_return removed;
}

void Holding::forget(const QString &name)
{
    m_watches.remove(name);
    m_asked.remove(name);
    m_released.remove(name);
    m_over.remove(name);
}

Task<Result<>> Holding::releaseEmpty(TakeRequest request)
{
    request.isNew = false; // what arrived late is not known
    CO_TRY(const HeldQueues::Found found, co_await m_held.find(request));
    const auto holds = [](const LiveQueue &queue) { return queue.messages.value_or(1) > 0; };
    const auto full = std::find_if(found.queues.cbegin(), found.queues.cend(), holds);
    QString left = full == found.queues.cend() ? QString() : full->name;
    if (left.isEmpty()) {
        CO_TRY(const Closed closed, co_await close(request, found));
        left = closed.left;
    }
    if (!left.isEmpty())
        co_return fail(ErrorKind::Conflict, Text::tr("The holding queue %1 is not empty.").arg(left));
    co_return Result<>();
}

Task<Result<>> Holding::release(TakeRequest request, ReceivedPage page)
{
    if (page.messages.isEmpty()) {
        const Result<> released = co_await releaseEmpty(request);
        co_return released;
    }
    const QString name = queueOf(request.holdingName, page);
    // The token is the number of messages behind the message, so the count tells what is left to remove after a call
    // without an answer.
    const qint64 before = page.messages.first().settleToken.toLongLong() + 1;
    const qint64 after = before - page.messages.size();
    if (after == 0) { // the queue is about to be purged: without its exchange nothing more can arrive
        CO_TRY(co_await m_held.closeWay(name));
    } else {
        CO_TRY(co_await awaitLate(name));
    }
    const Result<qint64> count = co_await m_queues.count(name);
    if (!count && count.error().kind != ErrorKind::NotFound)
        co_return fail(count.error());
    const qint64 there = count ? *count : after;
    if (there > before || there < after) {
        co_return fail(ErrorKind::Conflict,
                       Text::tr("Another program changed the holding queue %1: its message count is %2 instead of %3.")
                           .arg(name, QString::number(there), QString::number(before)));
    }
    if (after == 0 && count) {
        const Result<> gone = co_await removeAll(request.holdingName, name);
        co_return gone;
    }
    if (there > after) {
        // A second removal would remove messages that nobody has stored. The count of the list may be old, or belong to
        // another answer, so the queue itself is asked.
        const QString part = page.messages.first().nativeId.section(QLatin1Char('.'), -1);
        const WholeOrder head{name, there, knownWayInto(name, part)};
        CO_TRY(co_await checkHead(m_api, head));
        CO_TRY(co_await removeHead(name, there - after));
    }
    const Result<> removed = co_await removeIfEmpty(request.holdingName, name);
    co_return removed;
}

// Purges the queue, because a removal by `get` costs the broker as much as reading the messages. The exchange is gone
// already.
Task<Result<>> Holding::removeAll(QString holdingName, QString name)
{
    CO_TRY(co_await m_api.purge(name));
    m_released.insert(name);
    m_held.allIsStored(holdingName);
    const Result<> removed = co_await m_held.removeOne(holdingName, name);
    if (!removed && removed.error().kind == ErrorKind::Conflict)
        co_return Result<>(); // what is in the queue now is the next page
    if (removed)
        forget(name);
    co_return removed;
}

// A removal whose answer nobody has, ours or one of a process that died, may still arrive. Together with another
// removal it would remove messages that nobody has stored: so this waits until it has arrived or never will. Steady
// time, because this machine sends nothing while it sleeps.
Task<Result<>> Holding::awaitLate(QString name)
{
    const std::optional<core::SteadyTime> asked = m_asked.value(name, m_since);
    const core::Milliseconds left =
        asked ? *asked + core::limits::lateRequests - m_clock.steady() : core::Milliseconds{0};
    if (left > core::Milliseconds{0})
        CO_TRY(co_await pause(left));
    m_asked.insert(name, std::nullopt);
    co_return Result<>();
}

Task<Result<>> Holding::removeHead(QString name, qint64 count)
{
    const PeekOptions head{int(count), true, 1};
    m_asked.insert(name, m_clock.steady());
    CO_TRY(const QCborArray removed, co_await m_api.peek(name, head));
    m_asked.insert(name, std::nullopt);
    if (removed.size() != count)
        co_return fail(ErrorKind::Transient, Text::tr("Some messages of %1 are not removed yet.").arg(name));
    co_return Result<>();
}

// ---- the note of an interruption, which is a binding of the exchange that fills the queue ----

namespace {

const QString interruptedKey = QStringLiteral("interrupted");

} // namespace

// Keeps the note on the broker, where it survives a crash: a second binding, which delivers no message twice.
Task<Result<>> Holding::noteInterruption(QString name)
{
    m_watches[name].broke = true;
    CO_TRY(const LiveQueue held, co_await m_queues.live(name));
    const QString way = wayInto(name, partOf(held));
    const Result<> noted = co_await m_queues.bind(way, name, interruptedKey);
    co_return noted;
}

// True: messages may have been delivered twice. A node restarted, the shovel broke or was removed while busy, or more
// messages came than requested.
Task<Result<bool>> Holding::isInterrupted(LiveQueue held)
{
    if (m_watches.value(held.name).broke || held.messages.value_or(0) > askedFor(held))
        co_return true;
    const QString way = wayInto(held.name, partOf(held));
    const Task<Result<ClusterIncarnation>> marking = m_marks.read(held.node);
    const Result<bool> noted = co_await m_queues.isBound(way, held.name, interruptedKey);
    const Result<ClusterIncarnation> now = co_await marking;
    if (!noted || *noted)
        co_return noted;
    if (!now)
        co_return fail(now.error());
    const QString text = noteOf(held).section(QLatin1Char('|'), 2);
    const ClusterIncarnation then = ClusterIncarnation::from(text);
    const std::optional<NodeIncarnation> source = NodeIncarnation::from(text.section(QLatin1Char(';'), 0, 0));
    co_return !source || !now->isSameRun(then, source->node) || !now->isSameRun(then, held.node);
}

} // namespace broker::rabbitmq
