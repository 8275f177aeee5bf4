#pragma once

#include "backend/broker/brokerstate.h"
#include "backend/core/time/timers.h"
#include "backend/intake/deliverybudget.h"
#include "backend/intake/intakepreconditions.h"
#include "backend/intake/pages/pagewriter.h"
#include "backend/store/store.h"

namespace intake {

struct BrowseOrder
{
    QString queue;
    int limit = 0; // greater than 0, from the head of the queue
    QString who; // for the activity log
    bool acceptsDelivery = false; // a person accepts that the look counts as a delivery, if it does
};

// Browses the queues of one connection: the messages are stored as browsed only and stay in their queue. Nothing can be
// done with such a record until an intake has taken its message. Engine thread. One browse or intake of a connection at
// a time. `brokerState` and `store` outlive this object, and it outlives its tasks. A crash leaves the records stored so far
// and nothing on the broker; browsing again finds the same records.
class QueueBrowser final
{
public:
    QueueBrowser(records::Connection connection, broker::BrokerState &brokerState, store::Store &store,
                 core::Clock &clock, DiskSpace freeShare);
    QueueBrowser(const QueueBrowser &) = delete;
    QueueBrowser &operator=(const QueueBrowser &) = delete;

    // Browses as the order says. Refused: rights, the account or the queue do not allow it, the disk of the store is
    // nearly full, or the look counts as a delivery and the order does not accept that. NotFound: there is no such
    // queue. Records stored before an error stay.
    [[nodiscard]] core::Task<core::Result<records::BrowseCounts>> browse(BrowseOrder order);
    // A running task ends with Cancelled at its next step.
    void stop() { m_timers.cancelAll(); }

private:
    [[nodiscard]] core::Task<core::Result<broker::ReceivedPage>> see(const BrowseOrder &order);
    [[nodiscard]] core::Task<core::Result<broker::ReceivedPage>> look(BrowseOrder order,
                                                                      std::optional<records::DeliveryLimit> counts);
    // whole: the page holds all messages of the queue.
    [[nodiscard]] core::Task<core::Result<records::BrowseCounts>> keep(BrowseOrder order, broker::ReceivedPage page,
                                                                       bool whole);
    [[nodiscard]] core::Task<core::Result<qint64>> forgetGone(BrowseOrder order, qint64 upTo, qint64 stillThere);
    [[nodiscard]] core::Result<qint64> changeNumber();
    void note(const BrowseOrder &order, const records::BrowseCounts &counts);
    void note(const BrowseOrder &order, const QString &what, const QString &result);

    records::Connection m_connection;
    broker::BrokerState &m_brokerState;
    broker::Broker &m_broker;
    store::Store &m_store;
    core::Clock &m_clock;
    core::Timers m_timers;
    DeliveryBudget m_budget;
    DiskSpace m_freeShare;
    bool m_locks = false;
    records::BrokerRetention m_retention; // of the browsed queue
    bool m_sawAll = false; // the broker counts no more messages than were browsed last
};

} // namespace intake
