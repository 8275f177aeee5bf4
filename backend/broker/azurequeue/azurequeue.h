#pragma once

#include "backend/broker/azurequeue/endpoint.h"
#include "backend/broker/azurequeue/queuexml.h"
#include "backend/broker/lockedreceiver.h"
#include "backend/broker/pagednames.h"

namespace broker {

// Azure Storage Queues over REST: messages are taken out of sight for a while, and deleted by the receipt they were given with;
// copies go straight to their queues (ledger hand-over). Nothing of ours is ever left there: what a crash took comes back in
// sight by itself.
class AzureQueue final : public Broker
{
public:
    // Both outlive this object. `client` may repeat idempotent calls by itself (http::RetryingClient).
    AzureQueue(http::HttpClient &client, core::Clock &clock, azurequeue::Account account);

    [[nodiscard]] Task<Result<Capabilities>> probe() override;
    [[nodiscard]] Task<Result<Listing>> queues() override;

    [[nodiscard]] Task<Result<ReceivedPage>> take(TakeRequest request) override;
    // Messages get new receipts with it.
    [[nodiscard]] Task<Result<ReceivedPage>> renew(TakeRequest request, ReceivedPage page) override;
    // NotFound: some had come in sight again and were given to others. They will be met again; the others are gone.
    [[nodiscard]] Task<Result<>> release(TakeRequest request, ReceivedPage page) override;
    [[nodiscard]] Task<Result<>> putBack(TakeRequest request, ReceivedPage page) override;
    [[nodiscard]] Task<Result<ReceivedPage>> browse(QString queue, int limit) override;

    [[nodiscard]] Task<QList<SendOutcome>> send(QList<Outgoing> messages) override;
    [[nodiscard]] StagingQueue *stagingQueue() override { return nullptr; }
    [[nodiscard]] Task<Result<QList<Leftover>>> leftovers() override;
    void cancelAll() override;

private:
    using Message = azurequeue::QueuedMessage;

    [[nodiscard]] LockedReceiver::Wire wire();
    [[nodiscard]] Task<Result<Received>> receive(QString queue, int most);
    [[nodiscard]] Task<Result<QList<Message>>> get(QString queue, QByteArray query);
    // Deletes the message, or keeps it out of sight for so long from now.
    [[nodiscard]] Task<Result<Settled>> settle(QString queue, ReceivedMessage held,
                                               std::optional<core::Milliseconds> hidden);
    [[nodiscard]] Task<Result<QList<Settled>>> settleOne(QString queue, ReceivedMessage held, Settle how);
    [[nodiscard]] Task<Result<azurequeue::QueueNames>> namesFrom(QByteArray marker, int most);
    [[nodiscard]] Task<Result<PagedNames>> names();
    [[nodiscard]] Task<> count(QList<QueueInfo> &infos);
    [[nodiscard]] Task<SendOutcome> put(Outgoing message);
    [[nodiscard]] QList<QueueInfo> infosOf(const QStringList &names, bool listed) const;

    http::HttpClient &m_client;
    azurequeue::Endpoint m_endpoint;
    LockedReceiver m_pages;
    QStringList m_errorQueues;
    bool m_cancelled = false;
};

} // namespace broker
