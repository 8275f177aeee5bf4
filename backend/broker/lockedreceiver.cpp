#include "backend/broker/lockedreceiver.h"

#include "backend/broker/text.h"
#include "backend/core/limits.h"

#include <algorithm>

namespace broker {

using core::ErrorKind;

namespace {

constexpr int mostFailuresInARow = 8;
constexpr qsizetype keptAtOnce = 100; // one transaction of the store for so many, unless they come slowly
constexpr core::Milliseconds longestGathering{200};
constexpr int shareForGathering = 8; // of the time of a lock
constexpr size_t mostWaiting = 200; // kept messages that wait for their removal; then no more are received
constexpr int callsPerMessage = 2; // a server that sends nothing of use is not asked for ever

int gravityOf(const core::Error &error)
{
    if (error.kind == ErrorKind::UnknownOutcome)
        return 2;
    return error.kind == ErrorKind::Corrupt ? 1 : 0;
}

// The next call would get the same answer.
int weightOf(const core::Error &error)
{
    switch (error.kind) {
    case ErrorKind::Unauthorized:
    case ErrorKind::NotFound:
    case ErrorKind::Conflict:
    case ErrorKind::Rejected:
    case ErrorKind::Refused:
    case ErrorKind::Cancelled:
        return mostFailuresInARow;
    default:
        return 1;
    }
}

} // namespace

LockedReceiver::LockedReceiver(core::Clock &clock, Bounds bounds, Wire wire)
    : m_clock(clock)
    , m_bounds(bounds)
    , m_wire(std::move(wire))
{
}

// ---- receiving ----

Task<> LockedReceiver::receiveAll(Receiving &receiving, std::function<Task<>()> beforeEach)
{
    const std::function<Task<>(size_t)> lane = [&](size_t) -> Task<> {
        while (mayReceive(receiving)) {
            if (beforeEach)
                co_await beforeEach();
            if (mayReceive(receiving))
                co_await receiveSome(receiving);
        }
    };
    const size_t lanes = keepsOrder(receiving.request.queue) ? 1 : size_t(m_bounds.receivesInFlight);
    co_await core::forEachLimited(lanes, lanes, lane);
}

bool LockedReceiver::mayReceive(const Receiving &receiving) const
{
    return !receiving.drained && receiving.asked < receiving.request.limit
           && receiving.failures < receiving.mostFailures
           && receiving.calls < callsPerMessage * receiving.request.limit + receiving.mostFailures
           && !receiving.isFull();
}

Task<> LockedReceiver::receiveSome(Receiving &receiving)
{
    const int wanted = std::min(m_bounds.perReceive, receiving.request.limit - receiving.asked);
    const core::BootTime before = m_clock.boot();
    receiving.asked += wanted;
    ++receiving.calls;
    const bool isFirst = !receiving.isAny;
    Result<Received> received = co_await m_wire.receive(receiving.request.queue, wanted, isFirst);
    receiving.asked -= wanted;
    if (!received) {
        receiving.failures += weightOf(received.error());
        // Reports the worst error of several: a call that took nothing must not hide one that left messages locked.
        if (!receiving.trouble || gravityOf(received.error()) > gravityOf(*receiving.trouble))
            receiving.trouble = received.error();
        co_return;
    }
    receiving.failures = receiving.mostFailures > 1 ? 0 : receiving.failures;
    receiving.asked += int(received->messages.size());
    receiving.drained = receiving.drained || received->empty;
    if (received->unusable && !receiving.unusable)
        receiving.unusable = received->unusable;
    receiving.isAny = receiving.isAny || !received->messages.isEmpty();
    // Keeps every message that can be settled, whatever else came with it: it is locked and nobody else sees it.
    if (!received->messages.isEmpty())
        receiving.arrived(std::move(received->messages), before);
}

// What may have left messages locked or unreadable comes first.
std::optional<core::Error> LockedReceiver::troubleOf(const Receiving &receiving)
{
    const bool isUnanswered = receiving.trouble && receiving.trouble->kind == ErrorKind::UnknownOutcome;
    return receiving.unusable && !isUnanswered ? receiving.unusable : receiving.trouble;
}

// ---- into the store, and from the broker ----

Task<Result<Passage>> LockedReceiver::takeInto(TakeRequest request, Keep keep)
{
    Passing passing;
    passing.keep = std::move(keep);
    passing.receiving.request = std::move(request);
    passing.receiving.mostFailures = mostFailuresInARow;
    passing.receiving.isFull = [&passing] { return isOver(passing); };
    passing.receiving.arrived = [this, &passing](QList<ReceivedMessage> messages, core::BootTime asked) {
        arrive(passing, std::move(messages), asked);
    };
    std::function<Task<>()> room = [this, &passing] { return waitForRoom(passing); };
    co_await receiveAll(passing.receiving, std::move(room));
    keepArrived(passing);
    for (size_t i = 0; i < passing.removals.size(); ++i)
        co_await passing.removals[i];
    Result<Passage> end = endOf(passing);
    co_return end;
}

void LockedReceiver::arrive(Passing &passing, QList<ReceivedMessage> messages, core::BootTime asked)
{
    const core::Milliseconds lock = m_wire.lockTime(passing.receiving.request.queue);
    for (ReceivedMessage &message : messages) {
        const auto twin = std::find_if(passing.arrived.begin(), passing.arrived.end(),
                                       [&](const InHand &one) { return one.message.nativeId == message.nativeId; });
        passing.arrivedBytes += message.envelope.body.size();
        if (twin == passing.arrived.end())
            passing.arrived.append({std::move(message), asked + lock});
        else // only its newest token is valid
            *twin = {std::move(message), asked + lock};
    }
    const qint64 mostBytes = passing.receiving.request.byteLimit;
    if (passing.arrived.size() >= keptAtOnce || (mostBytes > 0 && passing.arrivedBytes >= mostBytes))
        keepArrived(passing);
    else if (passing.due == 0)
        passing.due = m_clock.after(std::min(longestGathering, lock / shareForGathering), [this, &passing] {
            passing.due = 0;
            keepArrived(passing);
        });
}

void LockedReceiver::keepArrived(Passing &passing)
{
    m_clock.cancel(std::exchange(passing.due, 0));
    QList<InHand> arrived = std::exchange(passing.arrived, {});
    passing.arrivedBytes = 0;
    if (arrived.isEmpty() || isOver(passing))
        return;
    if (!keepsOrder(passing.receiving.request.queue)) {
        std::stable_sort(arrived.begin(), arrived.end(),
                         [this](const InHand &a, const InHand &b) { return m_wire.before(a.message, b.message); });
    }
    QList<ReceivedMessage> some;
    for (const InHand &one : std::as_const(arrived))
        some.append(one.message);
    if (const Result<> kept = passing.keep(some, passing.left.values()); !kept) {
        passing.refusal = kept.error();
        letIn(passing);
        return;
    }
    for (InHand &one : arrived) {
        passing.left.insert(one.message.nativeId);
        one.message.envelope = {}; // the store has it
        passing.kept.push_back(std::move(one));
    }
    startRemoving(passing);
}

void LockedReceiver::startRemoving(Passing &passing)
{
    while (passing.removing < m_bounds.settlesInFlight
           && size_t(passing.removing) * size_t(m_bounds.perSettle) < passing.kept.size()) {
        ++passing.removing;
        passing.removals.push_back(removeKept(passing));
    }
}

Task<> LockedReceiver::removeKept(Passing &passing)
{
    while (!passing.kept.empty() && passing.failures < mostFailuresInARow) {
        QList<InHand> some;
        QList<ReceivedMessage> messages;
        while (!passing.kept.empty() && some.size() < m_bounds.perSettle) {
            some.append(std::move(passing.kept.front()));
            messages.append(some.constLast().message);
            passing.kept.pop_front();
        }
        const Result<QList<Settled>> settled =
            co_await m_wire.settle(passing.receiving.request.queue, std::move(messages), Settle::Remove);
        if (!settled) { // they are known, and are removed when they are taken again
            passing.failures += weightOf(settled.error());
            passing.trouble = settled.error();
        }
        passing.failures = settled ? 0 : passing.failures;
        for (qsizetype n = 0; settled && n < some.size(); ++n) {
            const bool isGone = !isLost(settled->value(n), some.at(n).until);
            passing.removed += isGone && passing.left.remove(some.at(n).message.nativeId) ? 1 : 0;
        }
        letIn(passing);
    }
    --passing.removing;
}

Task<> LockedReceiver::waitForRoom(Passing &passing)
{
    while (passing.kept.size() > mostWaiting && !isOver(passing)) {
        const core::Pending<bool> room;
        passing.waiting.append(room);
        co_await room;
    }
}

bool LockedReceiver::isOver(const Passing &passing)
{
    return passing.refusal || passing.failures >= mostFailuresInARow;
}

void LockedReceiver::letIn(Passing &passing)
{
    if (passing.kept.size() > mostWaiting && !isOver(passing))
        return;
    const QList<core::Pending<bool>> waiting = std::exchange(passing.waiting, {});
    for (const core::Pending<bool> &one : waiting)
        one.resolve(true);
}

Result<Passage> LockedReceiver::endOf(const Passing &passing) const
{
    const Receiving &receiving = passing.receiving;
    if (passing.refusal)
        return core::fail(*passing.refusal);
    if (passing.failures >= mostFailuresInARow)
        return core::fail(*passing.trouble);
    if (receiving.failures >= receiving.mostFailures)
        return core::fail(*receiving.trouble);
    Passage end;
    end.removed = passing.removed;
    end.left = passing.left.values();
    // While some messages of a FIFO queue are locked, others may wait behind them.
    end.more = !receiving.drained || (keepsOrder(receiving.request.queue) && receiving.isAny);
    if (const std::optional<core::Error> trouble = troubleOf(receiving); trouble && gravityOf(*trouble) > 0)
        end.hidden = trouble;
    return end;
}

// ---- pages ----

Task<Result<ReceivedPage>> LockedReceiver::take(TakeRequest request)
{
    PendingPage page;
    page.receiving.request = std::move(request);
    page.receiving.isFull = [this, &page] {
        const qint64 most = page.receiving.request.byteLimit;
        return (most > 0 && page.bytes >= most) || (page.takeUntil && m_clock.boot() >= *page.takeUntil);
    };
    page.receiving.arrived = [this, &page](QList<ReceivedMessage> messages, core::BootTime asked) {
        addToPage(page, std::move(messages), asked);
    };
    co_await receiveAll(page.receiving, {});
    if (const std::optional<core::Error> trouble =
            page.receiving.trouble ? page.receiving.trouble : page.receiving.unusable;
        trouble && page.taken.isEmpty())
        co_return core::fail(*trouble);
    co_return pageOf(std::move(page));
}

void LockedReceiver::addToPage(PendingPage &page, QList<ReceivedMessage> messages, core::BootTime asked) const
{
    const core::BootTime until = asked + m_wire.lockTime(page.receiving.request.queue);
    page.lockedUntil = std::min(page.lockedUntil.value_or(until), until);
    if (!page.takeUntil)
        page.takeUntil = asked + (until - asked) / 2;
    for (ReceivedMessage &held : messages) {
        // The broker may give a message twice; only its newest token is valid.
        if (const auto place = page.places.constFind(held.nativeId); place != page.places.cend()) {
            page.taken[*place].settleToken = held.settleToken;
            --page.receiving.asked;
            continue;
        }
        page.places.insert(held.nativeId, page.taken.size());
        page.bytes += held.envelope.body.size();
        page.taken.append(std::move(held));
    }
}

ReceivedPage LockedReceiver::pageOf(PendingPage page) const
{
    ReceivedPage made;
    const bool inOrder = keepsOrder(page.receiving.request.queue);
    if (!inOrder)
        std::stable_sort(page.taken.begin(), page.taken.end(), m_wire.before);
    made.messages = page.taken;
    // Messages of a failed call are only locked. While some messages of a FIFO queue are locked, others may wait behind
    // them.
    made.more = !page.receiving.drained || page.receiving.trouble || (inOrder && !page.taken.isEmpty());
    made.trouble = troubleOf(page.receiving);
    made.lockedUntil = page.lockedUntil;
    return made;
}

// A lock that is gone before it expires was ended by us. After its expiry nobody knows, and the message may be visible
// again.
bool LockedReceiver::isLost(const Settled &settled, std::optional<core::BootTime> lockedUntil) const
{
    const bool stillHeld = lockedUntil && m_clock.boot() < *lockedUntil;
    return settled.lost || (settled.gone && !stillHeld);
}

Task<Result<int>> LockedReceiver::settleAll(QString queue, const ReceivedPage &page, Settle how)
{
    int lost = 0;
    std::optional<core::Error> trouble;
    const std::function<Task<>(size_t)> step = [&](size_t i) -> Task<> {
        if (trouble)
            co_return;
        const qsizetype from = qsizetype(i) * m_bounds.perSettle;
        QList<ReceivedMessage> some = page.messages.mid(from, m_bounds.perSettle);
        const qsizetype count = some.size();
        const Result<QList<Settled>> settled = co_await m_wire.settle(queue, std::move(some), how);
        if (!settled) {
            trouble = settled.error();
            co_return;
        }
        for (qsizetype n = 0; n < count; ++n)
            lost += isLost(settled->value(n), page.lockedUntil) ? 1 : 0;
    };
    const size_t calls = size_t((page.messages.size() + m_bounds.perSettle - 1) / m_bounds.perSettle);
    co_await core::forEachLimited(calls, size_t(m_bounds.settlesInFlight), step);
    if (trouble)
        co_return core::fail(*trouble);
    co_return lost;
}

Task<Result<>> LockedReceiver::release(TakeRequest request, ReceivedPage page)
{
    CO_TRY(const int lost, co_await settleAll(request.queue, page, Settle::Remove));
    if (lost > 0) {
        const QString text = Text::tr("Locks on messages in %2 expired before removal. Messages still in the queue: "
                                      "%1. Redrive recognises them when it takes them again.");
        co_return core::fail(ErrorKind::NotFound, text.arg(QString::number(lost), request.queue));
    }
    co_return Result<>();
}

Task<Result<>> LockedReceiver::putBack(TakeRequest request, ReceivedPage page)
{
    CO_TRY(co_await settleAll(request.queue, page, Settle::PutBack));
    co_return Result<>(); // a message whose lock expired is visible already
}

Task<Result<ReceivedPage>> LockedReceiver::browseByTaking(QString queue, int limit)
{
    TakeRequest request;
    request.queue = queue;
    request.limit = std::max(1, limit);
    request.byteLimit = core::limits::intakePageBytes;
    CO_TRY(ReceivedPage page, co_await take(request));
    CO_TRY(co_await putBack(request, page));
    page.lockedUntil.reset();
    for (ReceivedMessage &held : page.messages)
        held.settleToken.clear();
    const ReceivedPage looked = page;
    co_return looked;
}

Task<Result<ReceivedPage>> LockingBroker::take(TakeRequest request)
{
    return receiver().take(std::move(request));
}

Task<Result<Passage>> LockingBroker::takeInto(TakeRequest request, Keep keep)
{
    return receiver().takeInto(std::move(request), std::move(keep));
}

Task<Result<>> LockingBroker::release(TakeRequest request, ReceivedPage page)
{
    return receiver().release(std::move(request), std::move(page));
}

Task<Result<>> LockingBroker::putBack(TakeRequest request, ReceivedPage page)
{
    return receiver().putBack(std::move(request), std::move(page));
}

} // namespace broker
