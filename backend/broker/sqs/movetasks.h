#pragma once

#include "backend/broker/queuemover.h"
#include "backend/broker/sqs/queuelist.h"

namespace broker::sqs {

// The service moves all messages of a dead-letter queue by itself: message move tasks, one at a time for a queue.
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
    // What names the queue in these calls. Corrupt: the server does not tell.
    [[nodiscard]] core::Task<core::Result<QString>> arnOf(QString queue);

    Endpoint &m_endpoint;
    QueueList &m_queues;
};

} // namespace broker::sqs
