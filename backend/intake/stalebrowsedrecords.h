#pragma once

#include "backend/broker/broker.h"
#include "backend/core/ids.h"
#include "backend/store/store.h"

#include <QList>
#include <QString>

#include <limits>

namespace intake {

// Removes the records of what was only looked at and lies in its queue no longer: somebody else took it or sent it back, and
// a record that nothing can be done with would stay for ever. For whoever has just seen all of the queue; in slices, each a
// transaction of its own.
class StaleBrowsedRecords final
{
public:
    static constexpr qint64 whateverChange = std::numeric_limits<qint64>::max();

    // Of the queue's records those that were not written since change number `upTo`; `stillThere` of them were.
    StaleBrowsedRecords(store::Store &store, core::ConnectionId connection, QString queue, qint64 upTo,
                        qint64 stillThere);

    [[nodiscard]] core::Result<bool> areThere(); // records that might have to go
    [[nodiscard]] core::Result<bool> next(); // false: that was all
    [[nodiscard]] qint64 removed() const { return m_removed; }
    // For the trail.
    [[nodiscard]] static QString what();
    [[nodiscard]] static QString result(qint64 removed);

    // Whether the broker counts no more messages in the queue than were seen. What is locked, or hidden for a time, is counted
    // and not shown: it has not gone. A count that lags behind is believed here: what is forgotten too early lies in its queue
    // still, and the next look brings it back.
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
