#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/sqs/endpoint.h"
#include "backend/broker/sqs/queuelist.h"
#include "backend/broker/sqs/sender.h"

#include <QSet>

namespace broker {

// Amazon SQS: messages are received, which hides them for a while, and deleted by the receipt they came with; copies go straight
// to their queues (ledger hand-over). Nothing of ours is ever left there: what a crash took comes back in sight by itself.
class Sqs final : public Broker
{
public:
    // Both outlive this object. `client` may repeat idempotent calls by itself (http::RetryingClient).
    Sqs(http::HttpClient &client, core::Clock &clock, sqs::Account account);

    [[nodiscard]] Task<Result<Capabilities>> probe() override;
    [[nodiscard]] Task<Result<QList<QueueInfo>>> queues() override;

    [[nodiscard]] Task<Result<HeldPage>> take(TakeRequest request) override;
    [[nodiscard]] Task<Result<HeldPage>> renew(TakeRequest request, HeldPage page) override;
    // NotFound: some had come in sight again. They will be met again; the others are gone.
    [[nodiscard]] Task<Result<>> release(TakeRequest request, HeldPage page) override;
    [[nodiscard]] Task<Result<>> putBack(TakeRequest request, HeldPage page) override;
    // Receives and puts back. Refused where that could move a message.
    [[nodiscard]] Task<Result<HeldPage>> browse(QString queue, int limit) override;

    [[nodiscard]] Task<QList<SendOutcome>> send(QList<Outgoing> messages) override;
    [[nodiscard]] StagingQueue *stagingQueue() override { return nullptr; }
    [[nodiscard]] Task<Result<QList<Leftover>>> leftovers() override;
    void cancelAll() override;

private:
    struct Taking // one take(), shared by its calls under way
    {
        TakeRequest request;
        QString url;
        QList<Held> taken;
        QHash<QString, qsizetype> places; // of the ids
        int asked = 0; // taken, and asked for by calls under way
        qint64 bytes = 0;
        core::TimePoint until{}; // when the first of them comes in sight again
        bool drained = false;
        std::optional<core::Error> trouble;
    };

    struct Settling // one batch of a page
    {
        QString url;
        QList<Held> messages;
        std::optional<core::Milliseconds> hidden; // nothing: deleted
    };

    [[nodiscard]] Task<> takeSome(Taking &taking);
    void keep(const QJsonArray &messages, Taking &taking) const;
    // How many were lost.
    [[nodiscard]] Task<Result<int>> settle(QString queue, Settling settling);
    // The same for all of a page; the first other trouble as an error.
    [[nodiscard]] Task<Result<int>> settleAll(QString queue, HeldPage page, std::optional<core::Milliseconds> hidden);

    http::HttpClient &m_client;
    sqs::Endpoint m_endpoint;
    sqs::QueueList m_queues;
    sqs::Sender m_sender;
};

} // namespace broker
