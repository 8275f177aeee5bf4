#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/servicebus/sender.h"

#include <map>

namespace broker {

struct FeedQueue;

// Azure Service Bus, and the embedded broker, over REST: peek-lock, renew, complete; sends straight to the destinations
// (ledger hand-over). Nothing of ours is ever left on the broker: what a crash leaves are locks, which end by themselves.
class ServiceBus final : public Broker
{
public:
    // Both outlive this object. `client` may repeat idempotent calls by itself (http::RetryingClient).
    ServiceBus(http::HttpClient &client, core::Clock &clock, ServiceBusAccount account);

    [[nodiscard]] Task<Result<Capabilities>> probe() override;
    [[nodiscard]] Task<Result<Listing>> queues() override;

    [[nodiscard]] Task<Result<HeldPage>> take(TakeRequest request) override;
    [[nodiscard]] Task<Result<HeldPage>> renew(TakeRequest request, HeldPage page) override;
    // NotFound: some locks had ended. Those messages are on the queue again and will be met again; the others are gone.
    [[nodiscard]] Task<Result<>> release(TakeRequest request, HeldPage page) override;
    [[nodiscard]] Task<Result<>> putBack(TakeRequest request, HeldPage page) override;
    [[nodiscard]] Task<Result<HeldPage>> browse(QString queue, int limit) override;

    [[nodiscard]] Task<QList<SendOutcome>> send(QList<Outgoing> messages) override;
    [[nodiscard]] StagingQueue *stagingQueue() override { return nullptr; }
    [[nodiscard]] Task<Result<QList<Leftover>>> leftovers() override;
    void cancelAll() override;

private:
    struct Taking // one take(), shared by its calls under way
    {
        TakeRequest request;
        HeldPage page;
        std::vector<Held> held;
        qint64 bytes = 0;
        std::optional<core::TimePoint> takeUntil; // half of the first lock: the rest is for storing and completing
        bool drained = false;
        std::optional<core::Error> trouble;
    };
    enum class Settling { Complete, Unlock, Renew };

    [[nodiscard]] Task<> takeOne(Taking &taking);
    // How many locks had ended; the first other trouble as an error.
    [[nodiscard]] Task<Result<int>> settleAll(QString queue, HeldPage page, Settling how);
    [[nodiscard]] Task<Result<bool>> settleOne(QString queue, QByteArray path, Settling how);
    [[nodiscard]] Task<Result<HeldPage>> browseByExtension(QString queue, int limit);
    [[nodiscard]] Task<Result<HeldPage>> browseByLocks(QString queue, int limit);
    [[nodiscard]] Task<Result<>> learnProduct(Capabilities &capabilities);
    [[nodiscard]] core::Error cannotList(const http::Response &answer) const;
    [[nodiscard]] Listing namedQueues() const;
    void addQueue(const FeedQueue &queue, QList<QueueInfo> &infos);

    http::HttpClient &m_client;
    Endpoint m_endpoint;
    Sender m_sender;
    QStringList m_errorQueues;
    std::map<QString, core::Milliseconds> m_lockDurations; // as last seen, by queue
    bool m_extensions = false; // the embedded broker: browse without locks
    bool m_cancelled = false;
};

} // namespace broker
