#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/brokerload.h"
#include "backend/broker/exchangeroutes.h"
#include "backend/broker/queuemover.h"
#include "backend/broker/rabbitmq/settings.h"
#include "backend/broker/steptaker.h"
#include "backend/core/random.h"
#include "backend/core/time/timers.h"
#include "backend/http/httpclient.h"

#include <memory>

namespace broker {

// One virtual host of RabbitMQ over its management HTTP API. The contract is in broker.h; README.md of the folder
// rabbitmq lists everything that this class creates on the broker. Client, clock and random outlive it.
class RabbitMq final : public Broker, public QueueMover, public ExchangeRoutes, public BrokerLoad, public StepTaker
{
public:
    RabbitMq(http::HttpClient &client, core::Clock &clock, core::Random &random, rabbitmq::Settings settings);
    ~RabbitMq() override;

    [[nodiscard]] Task<Result<Capabilities>> probe() override;
    [[nodiscard]] Task<Result<Listing>> queues() override;
    // The caller may go on with the same holdingName until a page is empty.
    [[nodiscard]] Task<Result<ReceivedPage>> take(TakeRequest request) override;
    [[nodiscard]] Task<Result<PrefetchResult>> prefetch(TakeRequest request) override;
    // May be repeated after UnknownOutcome: it removes what remains of the page, and never more.
    [[nodiscard]] Task<Result<>> release(TakeRequest request, ReceivedPage page) override;
    [[nodiscard]] Task<Result<ReceivedPage>> browse(QString queue, int limit, LookRisk risk = {}) override;
    [[nodiscard]] Task<QList<SendOutcome>> send(QList<Outgoing> messages) override;
    [[nodiscard]] StagingQueue *stagingQueue() override; // null until probe() has found that staging is possible
    [[nodiscard]] Task<Result<QList<Leftover>>> leftovers() override;
    void cancelAll() override;

    [[nodiscard]] Task<Result<MoveOffer>> moveOffer(QString queue) override;
    [[nodiscard]] Task<Result<>> beginMove(MoveOrder order) override;
    [[nodiscard]] Task<Result<qint64>> cancelMove(QString handle) override;

    [[nodiscard]] Task<Result<Routes>> routesOf(QString exchange, QStringList keys) override;

    [[nodiscard]] Task<Result<LoadReading>> load() override;
    [[nodiscard]] QString loadObstacle() const override;
    [[nodiscard]] core::Milliseconds busy() const override;
    [[nodiscard]] Task<Result<>> admitSteps(QString queue) override;
    [[nodiscard]] Task<Result<QueueHead>> lookAtHead(QString queue, int limit) override;
    [[nodiscard]] Task<Result<QueueHead>> removeHead(QString queue, int count) override;
    [[nodiscard]] bool areSameRuns(const QString &then, const QString &now) const override;

private:
    [[nodiscard]] Task<Result<std::optional<QCborArray>>> consumers();
    [[nodiscard]] Task<Result<>> noteLoad();

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace broker
