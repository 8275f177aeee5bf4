#pragma once

#include "backend/broker/lockedreceiver.h"
#include "backend/broker/queuemover.h"
#include "backend/broker/sqs/endpoint.h"
#include "backend/broker/sqs/movetasks.h"
#include "backend/broker/sqs/queuelist.h"
#include "backend/broker/sqs/sender.h"

namespace broker {

// Amazon SQS: messages are received, which hides them for a while, and deleted by the receipt they came with; copies go straight
// to their queues (ledger hand-over). Nothing of ours is ever left there: what a crash took comes back in sight by itself.
class Sqs final : public Broker, public QueueMover
{
public:
    // Both outlive this object. `client` may repeat idempotent calls by itself (http::RetryingClient).
    Sqs(http::HttpClient &client, core::Clock &clock, sqs::Account account);

    [[nodiscard]] Task<Result<Capabilities>> probe() override;
    [[nodiscard]] Task<Result<Listing>> queues() override;

    [[nodiscard]] Task<Result<ReceivedPage>> take(TakeRequest request) override;
    [[nodiscard]] Task<Result<ReceivedPage>> renew(TakeRequest request, ReceivedPage page) override;
    // NotFound: some had come in sight again. They will be met again; the others are gone.
    [[nodiscard]] Task<Result<>> release(TakeRequest request, ReceivedPage page) override;
    [[nodiscard]] Task<Result<>> putBack(TakeRequest request, ReceivedPage page) override;
    // Receives and puts back. Refused where that could move a message.
    [[nodiscard]] Task<Result<ReceivedPage>> browse(QString queue, int limit) override;

    [[nodiscard]] Task<QList<SendOutcome>> send(QList<Outgoing> messages) override;
    [[nodiscard]] StagingQueue *stagingQueue() override { return nullptr; }
    [[nodiscard]] Task<Result<QList<Leftover>>> leftovers() override;
    void cancelAll() override;

    [[nodiscard]] Task<Result<MoveOffer>> moveOffer(QString queue) override { return m_moves.offer(std::move(queue)); }
    [[nodiscard]] Task<Result<>> beginMove(MoveOrder order) override { return m_moves.begin(std::move(order)); }
    [[nodiscard]] Task<Result<qint64>> cancelMove(QString handle) override { return m_moves.cancel(std::move(handle)); }

private:
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
