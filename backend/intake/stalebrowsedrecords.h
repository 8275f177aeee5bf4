#pragma once

#include "backend/broker/broker.h"
#include "backend/core/ids.h"
#include "backend/store/store.h"

#include <QList>
#include <QString>

#include <limits>

namespace intake {

// Removes browsed-only records whose messages are no longer in the queue: somebody else took or returned them, and
// nothing could ever be done with such a record. For a caller that has just seen all of the queue. Works in slices,
// each a transaction of its own, so a crash leaves some records for the next time. Engine thread.
class StaleBrowsedRecords final
{
public:
    static constexpr qint64 whateverChange = std::numeric_limits<qint64>::max();

    // Removes records that were not written since change number `upTo`; `stillThere` records of the queue were seen
    // again.
    StaleBrowsedRecords(store::Store &store, core::ConnectionId connection, QString queue, qint64 upTo,
                        qint64 stillThere);

    [[nodiscard]] core::Result<bool> areThere(); // records that might have to be removed
    [[nodiscard]] core::Result<bool> next(); // false: that was all
    [[nodiscard]] qint64 removed() const { return m_removed; }
    // The texts for the activity log.
    [[nodiscard]] static QString what();
    [[nodiscard]] static QString result(qint64 removed);

    // Whether the broker counts no more messages in the queue than were seen. Messages that are locked or hidden for a
    // time are counted but not shown, so they are not taken for gone. A count that lags behind is believed: a record
    // removed too early comes back with the next browse.
    [[nodiscard]] static bool wereAllSeen(const broker::Listing &listing, const QString &queue, qint64 seen);

private:
    store::Store &m_store;
    core::ConnectionId m_connection;
    QString m_queue;
    qint64 m_upTo;
    qint64 m_stillThere;
    core::MessageId m_after;
    qint64 m_removed = 0;
};

} // namespace intake
