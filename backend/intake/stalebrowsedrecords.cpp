#include "backend/intake/stalebrowsedrecords.h"

#include "backend/core/limits.h"
#include "backend/intake/text.h"
#include "backend/store/messages/messagestore.h"

#include <algorithm>

namespace intake {

using core::Result;

StaleBrowsedRecords::StaleBrowsedRecords(store::Store &store, core::ConnectionId connection, QString queue, qint64 upTo,
                                         qint64 stillThere)
    : m_store(store)
    , m_connection(connection)
    , m_queue(std::move(queue))
    , m_upTo(upTo)
    , m_stillThere(stillThere)
{
}

// Uses the kept counts: a queue may hold a million other records.
Result<bool> StaleBrowsedRecords::areThere()
{
    return m_store.read<bool>([&](store::Session &session) -> Result<bool> {
        TRY(const QList<store::QueueCount> counts, session.messages().queueCounts());
        return std::any_of(counts.cbegin(), counts.cend(), [this](const store::QueueCount &count) {
            return count.connection == m_connection && count.queue == m_queue && count.browsedOnly > m_stillThere;
        });
    });
}

Result<bool> StaleBrowsedRecords::next()
{
    const Result<bool> any = areThere();
    if (!any || !*any)
        return any;
    TRY(const QList<core::MessageId> gone, m_store.transact<QList<core::MessageId>>([&](store::Session &session) {
        return session.messages().forgetBrowsedOnly(m_connection, m_queue, m_upTo, m_after,
                                                    core::limits::browsedAtOnce);
    }));
    m_removed += gone.size();
    if (gone.size() < core::limits::browsedAtOnce)
        return false;
    m_after = gone.last();
    return true;
}

bool StaleBrowsedRecords::wereAllSeen(const broker::Listing &listing, const QString &queue, qint64 seen)
{
    return std::any_of(listing.queues.cbegin(), listing.queues.cend(), [&](const broker::QueueInfo &one) {
        return one.name == queue && one.depth && *one.depth <= seen;
    });
}

QString StaleBrowsedRecords::what()
{
    return Text::tr("Records of browsed messages removed");
}

QString StaleBrowsedRecords::result(qint64 removed)
{
    return Text::tr("%1 no longer in the queue; none of them was taken").arg(removed);
}

} // namespace intake
