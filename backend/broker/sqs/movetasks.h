#pragma once

#include "backend/broker/queuemover.h"
#include "backend/broker/sqs/queuelist.h"

namespace broker::sqs {

// Moves whole dead-letter queues with message move tasks of the service, one at a time for each queue. A task goes on
// without us. Contract of queuemover.h.
class MoveTasks final
{
public:
    // Both outlive this object.
    MoveTasks(Endpoint &endpoint, QueueList &queues);

    [[nodiscard]] core::Task<core::Result<MoveOffer>> offer(QString queue);
    [[nodiscard]] core::Task<core::Result<>> begin(MoveOrder order);
    [[nodiscard]] core::Task<core::Result<qint64>> cancel(QString handle);

private:
    [[nodiscard]] core::Task<core::Result<QList<records::QueueMove>>> tasksOf(QString queue, QString arn);
    // The ARN that names the queue in these calls. Corrupt: the server does not report it.
    [[nodiscard]] core::Task<core::Result<QString>> arnOf(QString queue);

    Endpoint &m_endpoint;
    QueueList &m_queues;
};

} // namespace broker::sqs
