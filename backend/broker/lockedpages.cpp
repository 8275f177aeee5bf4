#include "backend/broker/lockedpages.h"

#include "backend/core/limits.h"

#include <QCoreApplication>

#include <algorithm>

namespace broker {

using core::ErrorKind;

namespace {

QString say(const char *text)
{
    return QCoreApplication::translate("broker", text);
}

int gravityOf(const core::Error &error)
{
    if (error.kind == ErrorKind::UnknownOutcome)
        return 2;
    return error.kind == ErrorKind::Corrupt ? 1 : 0;
}

} // namespace

LockedPages::LockedPages(core::Clock &clock, Bounds bounds, Wire wire)
    : m_clock(clock)
    , m_bounds(bounds)
    , m_wire(std::move(wire))
{
}

Task<Result<HeldPage>> LockedPages::take(TakeRequest request)
{
    Taking taking;
    taking.request = request;
    const std::function<Task<>(size_t)> step = [this, &taking](size_t) { return takeSome(taking); };
    // Calls may bring less than they ask for, so there can be as many as there are messages.
    const size_t calls = size_t(std::max(0, request.limit));
    const size_t inFlight = keepsOrder(request.queue) ? 1 : size_t(m_bounds.receivesInFlight);
    co_await core::forEachLimited(calls, inFlight, step);
    if (taking.taken.isEmpty() && (taking.trouble || taking.unusable))
        co_return core::fail(taking.trouble ? *taking.trouble : *taking.unusable);
    co_return pageOf(std::move(taking));
}

Task<> LockedPages::takeSome(Taking &taking)
{
    const int wanted = std::min(m_bounds.perReceive, taking.request.limit - taking.asked);
    const core::BootTime before = m_clock.boot();
    const bool isFull = wanted <= 0 || (taking.request.byteLimit > 0 && taking.bytes >= taking.request.byteLimit)
                        || (taking.takeUntil && before >= *taking.takeUntil);
    if (taking.drained || taking.trouble || isFull)
        co_return;
    taking.asked += wanted;
    const bool isFirst = taking.taken.isEmpty();
    Result<Received> received = co_await m_wire.receive(taking.request.queue, wanted, isFirst);
    if (!received) {
        // Of several that failed the worst is told: one that took nothing hides none that left messages out of sight.
        if (!taking.trouble || gravityOf(received.error()) > gravityOf(*taking.trouble))
            taking.trouble = received.error();
        co_return;
    }
    taking.asked -= wanted - int(received->messages.size());
    keep(std::move(*received), before, taking);
}

// All that can be settled is kept, whatever came with it: it is out of sight of everybody else.
void LockedPages::keep(Received received, core::BootTime asked, Taking &taking) const
{
    taking.drained = taking.drained || received.empty;
    if (received.unusable && !taking.unusable)
        taking.unusable = received.unusable;
    if (received.messages.isEmpty())
        return;
    const core::BootTime until = asked + m_wire.lockTime(taking.request.queue);
    taking.lockedUntil = std::min(taking.lockedUntil.value_or(until), until);
    if (!taking.takeUntil)
        taking.takeUntil = asked + (until - asked) / 2;
    for (Held &held : received.messages) {
        // A message may be given twice; its newest token is the good one.
        if (const auto place = taking.places.constFind(held.nativeId); place != taking.places.cend()) {
            taking.taken[*place].settleToken = held.settleToken;
            --taking.asked;
            continue;
        }
        taking.places.insert(held.nativeId, taking.taken.size());
        taking.bytes += held.envelope.body.size();
        taking.taken.append(std::move(held));
    }
}

HeldPage LockedPages::pageOf(Taking taking) const
{
    HeldPage page;
    const bool inOrder = keepsOrder(taking.request.queue);
    if (!inOrder)
        std::stable_sort(taking.taken.begin(), taking.taken.end(), m_wire.before);
    page.messages = taking.taken;
    // What a failed call read is only out of sight; while some of an order are held, others of it may wait behind them.
    page.more = !taking.drained || taking.trouble || (inOrder && !taking.taken.isEmpty());
    const bool isUnanswered = taking.trouble && taking.trouble->kind == ErrorKind::UnknownOutcome;
    page.trouble = taking.unusable && !isUnanswered ? taking.unusable : taking.trouble;
    page.lockedUntil = taking.lockedUntil;
    return page;
}

// A lock that is gone before its end was ended by us. After that nobody knows: the message may come in sight again.
bool LockedPages::isLost(const Settled &settled, const HeldPage &page) const
{
    const bool stillHeld = page.lockedUntil && m_clock.boot() < *page.lockedUntil;
    return settled.lost || (settled.gone && !stillHeld);
}

Task<Result<int>> LockedPages::settleAll(QString queue, HeldPage &page, Settle how)
{
    int lost = 0;
    std::optional<core::Error> trouble;
    const std::function<Task<>(size_t)> step = [&](size_t i) -> Task<> {
        if (trouble)
            co_return;
        const qsizetype from = qsizetype(i) * m_bounds.perSettle;
        QList<Held> some = page.messages.mid(from, m_bounds.perSettle);
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

Task<Result<HeldPage>> LockedPages::renew(TakeRequest request, HeldPage page)
{
    const core::BootTime before = m_clock.boot();
    const Result<int> lost = co_await settleAll(request.queue, page, Settle::Renew);
    if (!lost)
        co_return core::fail(lost.error());
    if (*lost > 0) {
        const QString text = say("%1 messages of %2 came in sight of others before their time was made longer.");
        co_return core::fail(ErrorKind::NotFound, text.arg(QString::number(*lost), request.queue));
    }
    page.lockedUntil = before + m_wire.lockTime(request.queue);
    const HeldPage renewed = page;
    co_return renewed;
}

Task<Result<>> LockedPages::release(TakeRequest request, HeldPage page)
{
    const Result<int> lost = co_await settleAll(request.queue, page, Settle::Remove);
    if (!lost)
        co_return core::fail(lost.error());
    if (*lost > 0) {
        const QString text =
            say("%1 messages of %2 came in sight of others before they could be removed; these will be met again.");
        co_return core::fail(ErrorKind::NotFound, text.arg(QString::number(*lost), request.queue));
    }
    co_return Result<>();
}

Task<Result<>> LockedPages::putBack(TakeRequest request, HeldPage page)
{
    const Result<int> lost = co_await settleAll(request.queue, page, Settle::PutBack);
    if (!lost)
        co_return core::fail(lost.error());
    co_return Result<>(); // what is lost has come in sight by itself
}

Task<Result<HeldPage>> LockedPages::lookByTaking(QString queue, int limit)
{
    TakeRequest request;
    request.queue = queue;
    request.limit = std::max(1, limit);
    request.byteLimit = core::limits::intakePageBytes;
    Result<HeldPage> page = co_await take(request);
    if (!page)
        co_return core::fail(page.error());
    const Result<> back = co_await putBack(request, *page);
    if (!back)
        co_return core::fail(back.error());
    page->lockedUntil.reset();
    for (Held &held : page->messages)
        held.settleToken.clear();
    const HeldPage looked = *page;
    co_return looked;
}

} // namespace broker
