#include "tests/support/fakebroker/faketakingbroker.h"

#include <algorithm>

namespace test {

using broker::ReceivedMessage;
using broker::ReceivedPage;
using broker::TakeRequest;
using core::fail;
using core::Result;
using core::Task;

FakeTakingBroker::FakeTakingBroker(FaultPoint &fate, bool locks)
    : m_fate(fate)
    , m_locks(locks)
{
    capabilities.canTake = true;
    capabilities.canBrowse = true;
    capabilities.locks = locks;
    broker::QueueInfo error;
    error.name = QStringLiteral("error");
    error.role = broker::QueueRole::ErrorQueue;
    known.append(error);
}

void FakeTakingBroker::put(const records::Envelope &envelope)
{
    ReceivedMessage held;
    held.nativeId = QString::number(++m_last);
    held.settleToken = held.nativeId;
    held.envelope = envelope;
    m_source.append(held);
}

void FakeTakingBroker::expireLocks()
{
    m_source = m_locked + m_source;
    m_locked.clear();
}

qint64 FakeTakingBroker::messagesLeft() const
{
    qint64 held = 0;
    for (const auto &[name, messages] : m_holding)
        held += messages.size();
    return m_source.size() + m_locked.size() + held;
}

Task<Result<broker::Capabilities>> FakeTakingBroker::probe()
{
    const Result<> alive = m_fate.pass();
    if (!alive)
        co_return fail(alive.error());
    const broker::Capabilities can = capabilities; // a member would be moved out
    co_return can;
}

Task<Result<broker::Listing>> FakeTakingBroker::queues()
{
    const Result<> alive = m_fate.pass();
    if (!alive)
        co_return fail(alive.error());
    broker::Listing listing;
    listing.queues = known;
    for (broker::QueueInfo &info : listing.queues) {
        if (info.name == QLatin1String("error"))
            info.depth = m_source.size() + hidden;
        info.depthIsExact = true;
    }
    co_return listing;
}

void FakeTakingBroker::fill(const TakeRequest &request)
{
    QList<ReceivedMessage> &held = m_holding[request.holdingName];
    if (!held.isEmpty())
        return; // goes on with what is held
    held = m_source.mid(0, request.limit);
    m_source = m_source.mid(request.limit);
    if (!std::exchange(m_doubles, false))
        return;
    m_interrupted.insert(request.holdingName);
    const QList<ReceivedMessage> once = held;
    for (ReceivedMessage copy : once) {
        copy.nativeId = QString::number(++m_last);
        held.append(copy);
    }
}

Result<> FakeTakingBroker::allowed(const TakeRequest &request) const
{
    if (mayConfigure || m_locks || m_holding.count(request.holdingName) > 0)
        return {};
    if (onRefused)
        onRefused();
    return fail(core::ErrorKind::Unauthorized, QStringLiteral("access refused"));
}

Task<Result<ReceivedPage>> FakeTakingBroker::take(TakeRequest request)
{
    const Result<> before = m_fate.pass();
    if (!before)
        co_return fail(before.error());
    const Result<> may = allowed(request);
    if (!may)
        co_return fail(may.error());
    ++takes;
    ReceivedPage page;
    if (m_locks) {
        page.messages = m_source.mid(0, request.limit);
        m_source = m_source.mid(request.limit);
        m_locked += page.messages;
    } else {
        fill(request);
        page.messages = m_holding[request.holdingName].mid(0, request.limit);
        page.interrupted = m_interrupted.contains(request.holdingName);
        if (page.messages.isEmpty())
            m_holding.erase(request.holdingName);
    }
    const bool held = !m_locks && m_holding[request.holdingName].size() > page.messages.size();
    if (!m_locks && m_holding[request.holdingName].isEmpty())
        m_holding.erase(request.holdingName);
    page.trouble = std::exchange(troubleBeside, std::nullopt);
    page.more = held || !m_source.isEmpty() || page.trouble;
    const Result<> after = m_fate.pass();
    if (!after)
        co_return fail(after.error());
    co_return page;
}

// In two parts, the second while the first is still to be removed.
Task<Result<broker::Passage>> FakeTakingBroker::takeInto(TakeRequest request, broker::Keep keep)
{
    const Result<> before = m_fate.pass();
    if (!before)
        co_return fail(before.error());
    ++takes;
    const QList<ReceivedMessage> all = m_source.mid(0, request.limit);
    m_source = m_source.mid(request.limit);
    m_locked += all;
    const Result<> answered = m_fate.pass();
    if (!answered)
        co_return fail(answered.error());
    broker::Passage passage;
    const qsizetype half = all.size() / 2;
    for (const QList<ReceivedMessage> &some : {all.mid(0, half), all.mid(half)}) {
        const Result<> kept = some.isEmpty() ? Result<>() : keep(some, passage.left);
        if (!kept)
            co_return fail(kept.error());
        for (const ReceivedMessage &one : some)
            passage.left.append(one.nativeId);
    }
    ReceivedPage page;
    std::copy_if(all.cbegin(), all.cend(), std::back_inserter(page.messages),
                 [this](const ReceivedMessage &one) { return !removes || removes(one); });
    const Result<> removed = co_await release(request, page);
    if (!removed && removed.error().kind != core::ErrorKind::NotFound)
        co_return fail(removed.error());
    passage.removed = removed ? page.messages.size() : 0;
    for (qsizetype i = 0; removed && i < page.messages.size(); ++i)
        passage.left.removeOne(page.messages.at(i).nativeId);
    passage.more = !m_source.isEmpty();
    passage.hidden = std::exchange(troubleBeside, std::nullopt);
    co_return passage;
}

Task<Result<broker::PrefetchResult>> FakeTakingBroker::prefetch(TakeRequest request)
{
    const Result<> before = m_fate.pass();
    if (!before)
        co_return fail(before.error());
    if (m_locks || (m_source.isEmpty() && m_holding.count(request.holdingName) == 0))
        co_return broker::PrefetchResult::Nothing;
    const Result<> may = allowed(request);
    if (!may)
        co_return fail(may.error());
    fill(request);
    const Result<> after = m_fate.pass();
    if (!after)
        co_return fail(after.error());
    co_return m_source.isEmpty() ? broker::PrefetchResult::AllThereWas : broker::PrefetchResult::Part;
}

Task<Result<>> FakeTakingBroker::release(TakeRequest request, ReceivedPage page)
{
    const Result<> before = m_fate.pass();
    if (!before)
        co_return before;
    const Result<> may = allowed(request);
    if (!may)
        co_return may;
    if (onRelease)
        onRelease();
    if (std::exchange(locksLostOnRelease, false)) {
        expireLocks();
        co_return fail(core::ErrorKind::NotFound, QStringLiteral("The lock is lost."));
    }
    QList<ReceivedMessage> &from = m_locks ? m_locked : m_holding[request.holdingName];
    for (const ReceivedMessage &held : page.messages)
        from.removeIf([&](const ReceivedMessage &one) { return one.nativeId == held.nativeId; });
    if (!m_locks && from.isEmpty()) {
        m_holding.erase(request.holdingName);
        m_interrupted.remove(request.holdingName);
    }
    const Result<> after = m_fate.pass();
    co_return after;
}

Task<Result<ReceivedPage>> FakeTakingBroker::browse(QString, int limit, broker::LookRisk)
{
    const Result<> before = m_fate.pass();
    if (!before)
        co_return fail(before.error());
    ReceivedPage page;
    page.messages = m_source.mid(0, limit);
    page.more = page.messages.size() < m_source.size();
    for (qsizetype i = 0; countsDeliveries && i < page.messages.size(); ++i) {
        records::Headers &headers = m_source[i].envelope.headers;
        const QString count = QStringLiteral("x-delivery-count");
        const QCborValue *counted = records::find(headers, count);
        const qint64 deliveries = counted != nullptr ? counted->toInteger() + 1 : 0;
        records::remove(headers, count);
        headers.append({count, deliveries});
    }
    const Result<> after = m_fate.pass();
    if (!after)
        co_return fail(after.error());
    co_return page;
}

Task<QList<broker::SendOutcome>> FakeTakingBroker::send(QList<broker::Outgoing>)
{
    co_return QList<broker::SendOutcome>();
}

Task<Result<QList<broker::Leftover>>> FakeTakingBroker::leftovers()
{
    const Result<> alive = m_fate.pass();
    if (!alive)
        co_return fail(alive.error());
    QList<broker::Leftover> all;
    for (const auto &[name, messages] : m_holding)
        all.append({broker::Leftover::Kind::Holding, name, {}, messages.size()});
    co_return all;
}

} // namespace test
