#include "backend/broker/lockedreceiver.h"

#include "backend/broker/text.h"
#include "backend/core/limits.h"

#include <algorithm>

namespace broker {

using core::ErrorKind;

namespace {

int gravityOf(const core::Error &error)
{
    if (error.kind == ErrorKind::UnknownOutcome)
        return 2;
    return error.kind == ErrorKind::Corrupt ? 1 : 0;
}

} // namespace

LockedReceiver::LockedReceiver(core::Clock &clock, Bounds bounds, Wire wire)
    : m_clock(clock)
    , m_bounds(bounds)
    , m_wire(std::move(wire))
{
}

Task<Result<ReceivedPage>> LockedReceiver::take(TakeRequest request)
{
    PendingReceive pending;
    pending.request = request;
    const std::function<Task<>(size_t)> step = [this, &pending](size_t) { return takeSome(pending); };
    // A call may bring less than it asks for, so at worst there is one call for each message.
    const size_t calls = size_t(std::max(0, request.limit));
    const size_t inFlight = keepsOrder(request.queue) ? 1 : size_t(m_bounds.receivesInFlight);
    co_await core::forEachLimited(calls, inFlight, step);
    if (pending.taken.isEmpty() && (pending.trouble || pending.unusable))
        co_return core::fail(pending.trouble ? *pending.trouble : *pending.unusable);
    co_return pageOf(std::move(pending));
}

Task<> LockedReceiver::takeSome(PendingReceive &pending)
{
    const int wanted = std::min(m_bounds.perReceive, pending.request.limit - pending.asked);
    const core::BootTime before = m_clock.boot();
    const bool isFull = wanted <= 0 || (pending.request.byteLimit > 0 && pending.bytes >= pending.request.byteLimit)
                        || (pending.takeUntil && before >= *pending.takeUntil);
    if (pending.drained || pending.trouble || isFull)
        co_return;
    pending.asked += wanted;
    const bool isFirst = pending.taken.isEmpty();
    Result<Received> received = co_await m_wire.receive(pending.request.queue, wanted, isFirst);
    if (!received) {
        // Reports the worst error of several: a call that took nothing must not hide one that left messages locked.
        if (!pending.trouble || gravityOf(received.error()) > gravityOf(*pending.trouble))
            pending.trouble = received.error();
        co_return;
    }
    pending.asked -= wanted - int(received->messages.size());
    addReceived(std::move(*received), before, pending);
}

// Keeps every message that can be settled, whatever else came with it: it is locked and nobody else sees it.
void LockedReceiver::addReceived(Received received, core::BootTime asked, PendingReceive &pending) const
{
    pending.drained = pending.drained || received.empty;
    if (received.unusable && !pending.unusable)
        pending.unusable = received.unusable;
    if (received.messages.isEmpty())
        return;
    const core::BootTime until = asked + m_wire.lockTime(pending.request.queue);
    pending.lockedUntil = std::min(pending.lockedUntil.value_or(until), until);
    if (!pending.takeUntil)
        pending.takeUntil = asked + (until - asked) / 2;
    for (ReceivedMessage &held : received.messages) {
        // The broker may give a message twice; only its newest token is valid.
        if (const auto place = pending.places.constFind(held.nativeId); place != pending.places.cend()) {
            pending.taken[*place].settleToken = held.settleToken;
            --pending.asked;
            continue;
        }
        pending.places.insert(held.nativeId, pending.taken.size());
        pending.bytes += held.envelope.body.size();
        pending.taken.append(std::move(held));
    }
}

ReceivedPage LockedReceiver::pageOf(PendingReceive pending) const
{
    ReceivedPage page;
    const bool inOrder = keepsOrder(pending.request.queue);
    if (!inOrder)
        std::stable_sort(pending.taken.begin(), pending.taken.end(), m_wire.before);
    page.messages = pending.taken;
    // Messages of a failed call are only locked. While some messages of a FIFO queue are locked, others may wait behind
    // them.
    page.more = !pending.drained || pending.trouble || (inOrder && !pending.taken.isEmpty());
    const bool isUnanswered = pending.trouble && pending.trouble->kind == ErrorKind::UnknownOutcome;
    page.trouble = pending.unusable && !isUnanswered ? pending.unusable : pending.trouble;
    page.lockedUntil = pending.lockedUntil;
    return page;
}

// A lock that is gone before it expires was ended by us. After its expiry nobody knows, and the message may be visible
// again.
bool LockedReceiver::isLost(const Settled &settled, const ReceivedPage &page) const
{
    const bool stillHeld = page.lockedUntil && m_clock.boot() < *page.lockedUntil;
    return settled.lost || (settled.gone && !stillHeld);
}

Task<Result<int>> LockedReceiver::settleAll(QString queue, ReceivedPage &page, Settle how)
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
        for (qsizetype n = 0; n < count; ++n) {
            const Settled one = settled->value(n);
            lost += isLost(one, page) ? 1 : 0;
            if (!one.token.isEmpty())
                page.messages[from + n].settleToken = one.token;
        }
    };
    const size_t calls = size_t((page.messages.size() + m_bounds.perSettle - 1) / m_bounds.perSettle);
    co_await core::forEachLimited(calls, size_t(m_bounds.settlesInFlight), step);
    if (trouble)
        co_return core::fail(*trouble);
    co_return lost;
}

Task<Result<ReceivedPage>> LockedReceiver::renew(TakeRequest request, ReceivedPage page)
{
    const core::BootTime before = m_clock.boot();
    CO_TRY(const int lost, co_await settleAll(request.queue, page, Settle::Renew));
    if (lost > 0) {
        const QString text =
            Text::tr("Locks on messages in %2 expired before renewal. Messages visible to other consumers again: %1.");
        co_return core::fail(ErrorKind::NotFound, text.arg(QString::number(lost), request.queue));
    }
    page.lockedUntil = before + m_wire.lockTime(request.queue);
    const ReceivedPage renewed = page;
    co_return renewed;
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

Task<Result<ReceivedPage>> LockingBroker::renew(TakeRequest request, ReceivedPage page)
{
    return receiver().renew(std::move(request), std::move(page));
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
