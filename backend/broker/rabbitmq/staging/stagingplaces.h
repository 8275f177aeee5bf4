#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/rabbitmq/publisher.h"
#include "backend/broker/rabbitmq/quotas.h"
#include "backend/broker/rabbitmq/staging/forwarder.h"

namespace broker::rabbitmq {

// Staging for RabbitMQ: copies wait in a queue of ours until their batch is complete, then a shovel moves them.
// README.md of this folder says what is created and why. Contract of staging.h.
class StagingPlaces final : public StagingQueue
{
public:
    StagingPlaces(ManagementApi &api, Shovels &shovels, core::Clock &clock, core::Timers &timers);

    [[nodiscard]] Task<Result<>> open(StagingPlace place) override;
    [[nodiscard]] Task<QList<SendOutcome>> stage(StagingPlace place, QList<Outgoing> copies) override;
    [[nodiscard]] Task<Result<QStringList>> reconcile(StagingPlace place) override;
    [[nodiscard]] Task<Result<qint64>> depth(StagingPlace place) override;
    [[nodiscard]] Task<Result<QList<Unreachable>>> openWays(StagingPlace place) override;
    [[nodiscard]] Task<Result<bool>> withdraw(ForwardRequest request) override;
    [[nodiscard]] Task<Result<ForwardReport>> forward(ForwardRequest request, ForwardHooks hooks) override;
    [[nodiscard]] Task<Result<>> discard(StagingPlace place) override;

private:
    [[nodiscard]] Task<Result<QStringList>> idsIn(StagingPlace place);
    [[nodiscard]] Task<Result<>> openEntrance(PlaceNames names, int number);
    [[nodiscard]] Task<Result<>> removeExchanges(PlaceNames names);

    ManagementApi &m_api;
    core::Clock &m_clock;
    core::Timers &m_timers;
    OwnedQueues m_queues;
    ReturnExchange m_returnExchange;
    Policies m_policies;
    Quotas m_quotas;
    Shovels &m_shovels;
    Publisher m_publisher;
};

} // namespace broker::rabbitmq
