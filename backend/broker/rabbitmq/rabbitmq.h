#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/queuemover.h"
#include "backend/broker/rabbitmq/settings.h"
#include "backend/core/random.h"
#include "backend/core/timers.h"
#include "backend/http/httpclient.h"

#include <memory>

namespace broker {

// RabbitMQ through its management HTTP API, one virtual host. The client, clock and random outlive it. Everything that
// it makes on the broker is described in README.md of the folder rabbitmq.
class RabbitMq final : public Broker, public QueueMover
{
public:
    RabbitMq(http::HttpClient &client, core::Clock &clock, core::Random &random, rabbitmq::Settings settings);
    ~RabbitMq() override;

    [[nodiscard]] Task<Result<Capabilities>> probe() override;
    [[nodiscard]] Task<Result<Listing>> queues() override;
    // The caller may go on under the same holdingName until a page comes back empty.
    [[nodiscard]] Task<Result<ReceivedPage>> take(TakeRequest request) override;
    [[nodiscard]] Task<Result<PrefetchResult>> prefetch(TakeRequest request) override;
    [[nodiscard]] Task<Result<ReceivedPage>> renew(TakeRequest request, ReceivedPage page) override;
    // Safe to repeat after an unknown outcome: removes what is still missing to the page's end, never more.
    [[nodiscard]] Task<Result<>> release(TakeRequest request, ReceivedPage page) override;
    [[nodiscard]] Task<Result<ReceivedPage>> browse(QString queue, int limit) override;
    [[nodiscard]] Task<QList<SendOutcome>> send(QList<Outgoing> messages) override;
    [[nodiscard]] StagingQueue *stagingQueue() override; // null until probe() found that it is possible
    [[nodiscard]] Task<Result<QList<Leftover>>> leftovers() override;
    void cancelAll() override;

    [[nodiscard]] Task<Result<MoveOffer>> moveOffer(QString queue) override;
    [[nodiscard]] Task<Result<>> beginMove(MoveOrder order) override;
    [[nodiscard]] Task<Result<qint64>> cancelMove(QString handle) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace broker
