#include "backend/intake/queuebrowser.h"

#include "backend/core/limits.h"
#include "backend/intake/stalebrowsedrecords.h"
#include "backend/intake/text.h"
#include "backend/records/event.h"
#include "backend/store/eventstore.h"

namespace intake {

using core::ErrorKind;
using core::fail;
using core::Result;
using core::Task;
using records::BrowseCounts;

QueueBrowser::QueueBrowser(records::Connection connection, broker::BrokerState &brokerState, store::Store &store,
                           core::Clock &clock, DiskSpace freeShare)
    : m_connection(std::move(connection))
    , m_brokerState(brokerState)
    , m_broker(brokerState.broker())
    , m_store(store)
    , m_clock(clock)
    , m_timers(clock)
    , m_budget(m_connection.id, store)
    , m_freeShare(std::move(freeShare))
{
}

Task<Result<BrowseCounts>> QueueBrowser::browse(BrowseOrder order)
{
    CO_TRY(const broker::ReceivedPage page, co_await see(order));
    const bool whole = m_sawAll && !page.more && page.messages.size() < order.limit;
    const Result<BrowseCounts> counts = co_await keep(order, page, whole);
    if (counts)
        note(order, *counts);
    co_return counts;
}

Task<Result<broker::ReceivedPage>> QueueBrowser::see(const BrowseOrder &order)
{
    if (!m_connection.rights.testFlag(records::Right::See)) {
        co_return fail(ErrorKind::Refused,
                       Text::tr("The connection %1 does not allow browsing messages. Allow it in its settings.")
                           .arg(m_connection.name));
    }
    CO_TRY(admitDisk(m_freeShare));
    if (!m_brokerState.capabilities().canBrowse)
        m_brokerState.rightsMayHaveChanged(); // they may have been granted meanwhile
    CO_TRY(co_await m_brokerState.probe());
    const broker::Capabilities found = m_brokerState.capabilities();
    if (!found.canBrowse) {
        co_return fail(ErrorKind::Refused,
                       Text::tr("This account may not browse messages of %1. Missing or limited: %2.")
                           .arg(m_connection.name, found.missing.join(QLatin1String("; "))));
    }
    m_locks = found.locks;
    CO_TRY(const broker::Listing listing, co_await m_brokerState.list());
    CO_TRY(admitQueue(m_connection, listing, order.queue));
    std::optional<records::DeliveryLimit> counts;
    for (const broker::QueueInfo &queue : listing.queues) {
        if (queue.name != order.queue)
            continue;
        m_retention = queue.retention;
        counts = queue.deliveryLimit;
    }
    const Result<broker::ReceivedPage> page = co_await look(order, counts);
    m_sawAll = page && StaleBrowsedRecords::wereAllSeen(listing, order.queue, page->messages.size());
    co_return page;
}

Task<Result<broker::ReceivedPage>> QueueBrowser::look(BrowseOrder order, std::optional<records::DeliveryLimit> counts)
{
    // Only the listing knows where the messages go that exceed the limit.
    const QStringList deadLetters = counts ? counts->deadLetters : QStringList();
    const auto risk = [&](const records::DeliveryLimit &limit) {
        counts = limit;
        counts->deadLetters = deadLetters;
        return m_budget.beforeLook(order.queue, *counts, order.acceptsDelivery);
    };
    const int limit = std::clamp(order.limit, 1, core::limits::browseMost);
    Result<broker::ReceivedPage> page = co_await m_broker.browse(order.queue, limit, risk);
    if (!page && counts && !counts->looksCount && page.error().kind == core::ErrorKind::Corrupt) {
        CO_TRY(m_budget.afterFailedLook(order.queue));
        CO_TRY(const records::DeliveriesUsed used, m_budget.used(order.queue));
        core::Error error = page.error();
        error.message += QLatin1Char(' ') + records::failedLookPrice(*counts, used);
        co_return core::fail(std::move(error));
    }
    if (page && counts) {
        const qsizetype shown = page->messages.size();
        const records::LookResult seen{shown, page->deliveries, !page->more && shown < limit};
        CO_TRY(m_budget.afterLook(order.queue, *counts, seen));
    }
    co_return page;
}

// In slices, so that other work gets its turn. Each message is a record of its own, and records stored before an error
// stay true.
Task<Result<BrowseCounts>> QueueBrowser::keep(BrowseOrder order, broker::ReceivedPage page, bool whole)
{
    CO_TRY(const qint64 before, changeNumber());
    PageOrigin origin{m_connection.id, m_connection.kind, m_store.storeId(), order.queue, m_locks, m_clock.now()};
    origin.browsesOnly = true;
    origin.connectionName = m_connection.name;
    CO_TRY(origin.conventions, conventionsOf(m_store));
    origin.retention = m_retention;
    PageWriter writer(origin, page.messages, {});
    BrowseCounts counts;
    counts.more = page.more;
    while (true) {
        const Result<BrowseCounts> slice = m_store.transact<BrowseCounts>(
            [&](store::Session &session) { return writer.writeBrowsed(session, core::limits::browsedAtOnce); });
        if (!slice && !writer.setAside(slice.error()))
            co_return fail(slice.error());
        if (!slice) {
            whole = false; // stored undecoded, it may be another record than before
            continue;
        }
        counts += *slice;
        if (!writer.nextSlice())
            break;
        CO_TRY(co_await m_timers.sleep(core::Milliseconds{0}));
    }
    if (!whole)
        co_return counts;
    CO_TRY(counts.gone, co_await forgetGone(std::move(order), before, counts.fresh + counts.again));
    co_return counts;
}

// Removed records are noted in the activity log, even after an error.
Task<Result<qint64>> QueueBrowser::forgetGone(BrowseOrder order, qint64 upTo, qint64 stillThere)
{
    StaleBrowsedRecords gone(m_store, m_connection.id, order.queue, upTo, stillThere);
    Result<> going;
    while (going) {
        const Result<bool> more = gone.next();
        if (!more)
            going = fail(more.error());
        if (!more || !*more)
            break;
        going = co_await m_timers.sleep(core::Milliseconds{0});
    }
    if (gone.removed() > 0)
        note(order, StaleBrowsedRecords::what(), StaleBrowsedRecords::result(gone.removed()));
    if (!going)
        co_return fail(going.error());
    co_return gone.removed();
}

Result<qint64> QueueBrowser::changeNumber()
{
    return m_store.read<qint64>([](store::Session &session) { return session.changeNumber(); });
}

void QueueBrowser::note(const BrowseOrder &order, const BrowseCounts &counts)
{
    note(order, Text::tr("Failed messages browsed"),
         Text::tr("%1 browsed, %2 of them new; none taken").arg(counts.seen).arg(counts.fresh));
}

void QueueBrowser::note(const BrowseOrder &order, const QString &what, const QString &result)
{
    records::Event event;
    event.at = m_clock.now();
    event.who = order.who.isEmpty() ? QStringLiteral("engine") : order.who;
    event.what = what;
    event.onWhat = QStringLiteral("%1 / %2").arg(m_connection.name, order.queue);
    event.result = result;
    // The records are stored. A failed entry in the activity log does not undo that, and the store has latched the
    // reason.
    static_cast<void>(m_store.transact([&](store::Session &session) { return session.events().append(event); }));
}

} // namespace intake
