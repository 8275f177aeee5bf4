#pragma once

#include "backend/broker/azurequeue/endpoint.h"
#include "backend/broker/azurequeue/queuexml.h"
#include "backend/broker/lockedreceiver.h"
#include "backend/broker/pagednames.h"

namespace broker {

// Azure Storage Queues over REST: a message is received, which hides it for a while, and deleted with its pop receipt.
// Messages are sent directly to their destinations (HandOver::IntentLog). Nothing of ours is ever left there: after a
// crash the hidden messages become visible again. Contract of broker.h.
class AzureQueue final : public LockingBroker
{
public:
    // Both outlive this object. `client` may repeat idempotent calls by itself (http::RetryingClient).
    AzureQueue(http::HttpClient &client, core::Clock &clock, azurequeue::Account account);

    [[nodiscard]] Task<Result<Capabilities>> probe() override;
    [[nodiscard]] Task<Result<Listing>> queues() override;

    [[nodiscard]] Task<Result<ReceivedPage>> browse(QString queue, int limit, LookRisk risk = {}) override;

    [[nodiscard]] Task<QList<SendOutcome>> send(QList<Outgoing> messages) override;
    [[nodiscard]] core::Milliseconds longestDelay(const QString &destination) const override;
    [[nodiscard]] StagingQueue *stagingQueue() override { return nullptr; }
    [[nodiscard]] Task<Result<QList<Leftover>>> leftovers() override;
    void cancelAll() override;

private:
    [[nodiscard]] LockedReceiver &receiver() override { return m_pages; }
    using Message = azurequeue::QueuedMessage;

    [[nodiscard]] LockedReceiver::Wire wire();
    [[nodiscard]] Task<Result<Received>> receive(QString queue, int most);
    [[nodiscard]] Task<Result<QList<Message>>> get(QString queue, QByteArray query);
    [[nodiscard]] Task<Result<Settled>> settle(QString queue, ReceivedMessage held, Settle how);
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
