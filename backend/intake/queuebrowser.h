#pragma once

#include "backend/core/timers.h"
#include "backend/intake/intakepreconditions.h"
#include "backend/intake/pagewriter.h"
#include "backend/store/store.h"

namespace intake {

struct BrowseOrder
{
    QString queue;
    int limit = 0; // > 0, from the head of the queue
    QString who; // for the audit trail
};

// Looks into the queues of one connection without taking: what is seen is stored as looked at. The originals stay where they
// are, so nothing may be done with such a record until an intake has taken its message. Engine thread; one look or intake of
// a connection at a time; broker and store outlive it, and it outlives its tasks.
class QueueBrowser final
{
public:
    QueueBrowser(records::Connection connection, broker::Broker &broker, store::Store &store, core::Clock &clock,
                 DiskSpace freeShare);
    QueueBrowser(const QueueBrowser &) = delete;
    QueueBrowser &operator=(const QueueBrowser &) = delete;

    // Refused: right, capability or queue say no, or the disk is nearly full.
    [[nodiscard]] core::Task<core::Result<records::BrowseCounts>> browse(BrowseOrder order);
    // What is under way ends with Cancelled at its next step.
    void stop() { m_timers.cancelAll(); }

private:
    [[nodiscard]] core::Task<core::Result<broker::ReceivedPage>> see(const BrowseOrder &order);
    // whole: the page is all that lies in the queue.
    [[nodiscard]] core::Task<core::Result<records::BrowseCounts>> keep(BrowseOrder order, broker::ReceivedPage page,
                                                                       bool whole);
    [[nodiscard]] core::Task<core::Result<qint64>> forgetGone(BrowseOrder order, qint64 upTo, qint64 stillThere);
    [[nodiscard]] core::Result<qint64> changeNumber();
    void note(const BrowseOrder &order, const records::BrowseCounts &counts);
    void note(const BrowseOrder &order, const QString &what, const QString &result);

    records::Connection m_connection;
    broker::Broker &m_broker;
    store::Store &m_store;
    core::Clock &m_clock;
    core::Timers m_timers;
    DiskSpace m_freeShare;
    bool m_locks = false;
    records::BrokerRetention m_retention; // of the queue that is looked into
    bool m_sawAll = false; // the broker counts no more than the last look saw
};

} // namespace intake
