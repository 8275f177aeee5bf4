#pragma once

#include "backend/broker/sendbatch.h"
#include "backend/broker/sqs/batchids.h"
#include "backend/broker/sqs/messagemapper.h"
#include "backend/broker/sqs/queuelist.h"

namespace broker::sqs {

inline constexpr int mostPerCall = 10; // messages; a limit of the service

// Sends messages to their queues, up to ten in a call, with one outcome for each.
class Sender final
{
public:
    Sender(Endpoint &endpoint, QueueList &queues);

    [[nodiscard]] core::Task<QList<SendOutcome>> send(QList<Outgoing> messages);

private:
    [[nodiscard]] core::Task<QList<SendOutcome>> deliver(const QList<Entry> &entries, SendBatch batch);
    [[nodiscard]] static QList<SendOutcome> readOutcomes(const QJsonObject &answer, const QList<Entry> &entries,
                                                         const SendBatch &batch, const BatchIds &ids);

    Endpoint &m_endpoint;
    QueueList &m_queues;
};

} // namespace broker::sqs
