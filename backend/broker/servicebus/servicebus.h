#pragma once

#include "backend/broker/lockedreceiver.h"
#include "backend/broker/messagesettler.h"
#include "backend/broker/servicebus/sender.h"

#include <map>

namespace broker {

// Azure Service Bus and the embedded broker over REST: peek-lock, complete. Messages are sent directly to their
// destinations (HandOver::IntentLog). Nothing of ours is ever left on the broker: after a crash only locks remain, and
// they expire. Contract of broker.h.
class ServiceBus final : public LockingBroker, public MessageSettler
{
public:
    // Both outlive this object. `client` may repeat idempotent calls by itself (http::RetryingClient).
    ServiceBus(http::HttpClient &client, core::Clock &clock, ServiceBusAccount account);

    [[nodiscard]] Task<Result<Capabilities>> probe() override;
    [[nodiscard]] Task<Result<Listing>> queues() override;

    [[nodiscard]] Task<Result<ReceivedPage>> browse(QString queue, int limit, LookRisk risk = {}) override;

    [[nodiscard]] Task<QList<SendOutcome>> send(QList<Outgoing> messages) override;
    // Service Bus sets no limit; a policy does not ask for more than this.
    [[nodiscard]] core::Milliseconds longestDelay(const QString &) const override
    {
        return std::chrono::hours(366 * 24);
    }
    [[nodiscard]] StagingQueue *stagingQueue() override { return nullptr; }
    [[nodiscard]] Task<Result<QList<Leftover>>> leftovers() override;
    void cancelAll() override;

    // MessageSettler: extensions of the embedded broker.
    [[nodiscard]] Task<Result<>> deadLetter(QString queue, ReceivedMessage held, QString reason,
                                            QString description) override;
    [[nodiscard]] Task<Result<>> defer(QString queue, ReceivedMessage held) override;
    [[nodiscard]] Task<Result<ReceivedMessage>> receiveDeferred(QString queue, QString nativeId) override;

private:
    [[nodiscard]] LockedReceiver &receiver() override { return m_pages; }
    // Posts to an extension of this queue. The error of an answer that is no success has the kind of its status.
    [[nodiscard]] Task<Result<http::Response>> callExtension(QString queue, QByteArray tail, QByteArray body,
                                                             bool isIdempotent);
    [[nodiscard]] LockedReceiver::Wire wire();
    [[nodiscard]] Task<Result<Received>> receive(QString queue);
    [[nodiscard]] Task<Result<Settled>> settle(QString queue, QByteArray path, Settle how);
    [[nodiscard]] Task<Result<QList<Settled>>> settleOne(QString queue, ReceivedMessage held, Settle how);
    [[nodiscard]] core::Milliseconds lockTime(const QString &queue) const;
    [[nodiscard]] Task<Result<ReceivedPage>> browseByExtension(QString queue, int limit);
    // The messages from this sequence number on.
    [[nodiscard]] Task<Result<QJsonArray>> browsePart(QString queue, qint64 from, int top);
    [[nodiscard]] Task<Result<>> learnProduct(Capabilities &capabilities);

    http::HttpClient &m_client;
    Endpoint m_endpoint;
    Sender m_sender;
    LockedReceiver m_pages;
    QStringList m_errorQueues;
    std::map<QString, core::Milliseconds> m_lockDurations; // lock time as last seen, by queue
    bool m_extensions = false; // the embedded broker, which can browse without locks
    bool m_cancelled = false;
};

} // namespace broker
