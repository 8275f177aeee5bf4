#pragma once

#include "backend/broker/rabbitmq/holding/pagereader.h"
#include "backend/broker/rabbitmq/nodeincarnation.h"
#include "backend/broker/rabbitmq/staging/ownedqueues.h"
#include "backend/broker/steptaker.h"

namespace broker::rabbitmq {

// Reads and removes at the head of a classic queue of somebody else, for accounts that cannot hold messages on the broker. Creates
// nothing there. Contract of steptaker.h.
class HeadOfQueue final
{
public:
    HeadOfQueue(ManagementApi &api, core::Clock &clock, core::Timers &timers);

    [[nodiscard]] Task<Result<>> admit(QString queue);
    [[nodiscard]] Task<Result<QueueHead>> look(QString queue, int limit);
    [[nodiscard]] Task<Result<QueueHead>> remove(QString queue, int count);
    [[nodiscard]] static bool areSameRuns(const QString &then, const QString &now);

private:
    // Empty: there is none. Transient: RabbitMQ does not tell the number of consumers.
    [[nodiscard]] Task<Result<QString>> refusalNow(QString queue);
    // Transient: no node tells since when it runs. Never empty.
    [[nodiscard]] Task<Result<QString>> runsNow();

    ManagementApi &m_api;
    OwnedQueues m_queues;
    NodeIncarnations m_nodes;
    core::Timers &m_timers;
};

} // namespace broker::rabbitmq
