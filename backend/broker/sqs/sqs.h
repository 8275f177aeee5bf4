#pragma once

#include "backend/broker/lockedreceiver.h"
#include "backend/broker/queuemover.h"
#include "backend/broker/sqs/endpoint.h"
#include "backend/broker/sqs/movetasks.h"
#include "backend/broker/sqs/queuelist.h"
#include "backend/broker/sqs/sender.h"

namespace broker {

// Amazon SQS over its JSON protocol: a message is received, which hides it for a while, and deleted with its receipt
// handle. Messages are sent directly to their destinations (HandOver::IntentLog). Nothing of ours is ever left in SQS:
// after a crash the hidden messages become visible again. Contract of broker.h and queuemover.h.
class Sqs final : public LockingBroker, public QueueMover
{
public:
    // Both outlive this object. `client` may repeat idempotent calls by itself (http::RetryingClient).
    Sqs(http::HttpClient &client, core::Clock &clock, sqs::Account account);

    [[nodiscard]] Task<Result<Capabilities>> probe() override;
    [[nodiscard]] Task<Result<Listing>> queues() override;

    // Receives messages and puts them back. Refused: that could move a message to another queue.
    [[nodiscard]] Task<Result<ReceivedPage>> browse(QString queue, int limit, LookRisk risk = {}) override;

    [[nodiscard]] Task<QList<SendOutcome>> send(QList<Outgoing> messages) override;
    [[nodiscard]] core::Milliseconds longestDelay(const QString &destination) const override
    {
        return sqs::longestDelayOf(destination);
    }
    [[nodiscard]] StagingQueue *stagingQueue() override { return nullptr; }
    [[nodiscard]] Task<Result<QList<Leftover>>> leftovers() override;
    void cancelAll() override;

    [[nodiscard]] Task<Result<MoveOffer>> moveOffer(QString queue) override { return m_moves.offer(std::move(queue)); }
    [[nodiscard]] Task<Result<>> beginMove(MoveOrder order) override { return m_moves.begin(std::move(order)); }
    [[nodiscard]] Task<Result<qint64>> cancelMove(QString handle) override { return m_moves.cancel(std::move(handle)); }

private:
    [[nodiscard]] LockedReceiver &receiver() override { return m_pages; }
    [[nodiscard]] LockedReceiver::Wire wire();
    [[nodiscard]] Task<Result<Received>> receive(QString queue, int most, bool isFirst);
    [[nodiscard]] Task<Result<QList<Settled>>> settle(QString queue, QList<ReceivedMessage> some, Settle how);

    http::HttpClient &m_client;
    sqs::Endpoint m_endpoint;
    sqs::QueueList m_queues;
    sqs::Sender m_sender;
    sqs::MoveTasks m_moves;
    LockedReceiver m_pages;
};

} // namespace broker
