#pragma once

#include "backend/core/timers.h"
#include "backend/intake/admission.h"
#include "backend/intake/pagewriter.h"
#include "backend/store/store.h"

namespace intake {

struct LookOrder
{
    QString queue;
    int limit = 0; // > 0, from the head of the queue
    QString who; // for the audit trail
};

// Looks into the queues of one connection without taking: what is seen is stored as looked at. The originals stay where they
// are, so nothing may be done with such a record until an intake has taken its message. Engine thread; one look or intake of
// a connection at a time; broker and store outlive it, and it outlives its tasks.
class Looker final
{
public:
    Looker(records::Connection connection, broker::Broker &broker, store::Store &store, core::Clock &clock,
           DiskSpace freeShare);
    Looker(const Looker &) = delete;
    Looker &operator=(const Looker &) = delete;

    // Refused: right, capability or queue say no, or the disk is nearly full.
    [[nodiscard]] core::Task<core::Result<records::LookCounts>> look(LookOrder order);
    // What is under way ends with Cancelled at its next step.
    void stop() { m_timers.cancelAll(); }

private:
    [[nodiscard]] core::Task<core::Result<broker::HeldPage>> see(const LookOrder &order);
    // whole: the page is all that lies in the queue.
    [[nodiscard]] core::Task<core::Result<records::LookCounts>> keep(LookOrder order, broker::HeldPage page,
                                                                     bool whole);
    [[nodiscard]] core::Task<core::Result<qint64>> forgetGone(LookOrder order, qint64 upTo, qint64 stillThere);
    [[nodiscard]] core::Result<qint64> changeNumber();
    void note(const LookOrder &order, const records::LookCounts &counts);
    void note(const LookOrder &order, const QString &what, const QString &result);

    records::Connection m_connection;
    broker::Broker &m_broker;
    store::Store &m_store;
    core::Clock &m_clock;
    core::Timers m_timers;
    DiskSpace m_freeShare;
    bool m_locks = false;
    records::Retention m_retention; // of the queue that is looked into
    bool m_sawAll = false; // the broker counts no more than the last look saw
};

} // namespace intake
