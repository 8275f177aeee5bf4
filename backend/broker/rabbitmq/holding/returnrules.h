#pragma once

#include "backend/broker/rabbitmq/http/managementapi.h"
#include "backend/broker/rabbitmq/staging/topology.h"

namespace broker::rabbitmq {

// What becomes of a message that is returned to the queue.
struct ReturnRules
{
    std::optional<records::DeliveryLimit> limit;
    std::optional<DelayedRetry> delay;

    // A look returns what it shows. At a cost, counts come from the statistics instead. Where looks are free, one that meets a
    // message that RabbitMQ cannot show counts all the same.
    [[nodiscard]] bool looksCost() const { return limit || (delay && delay->afterLooks); }
};
// As argument and policies set them now. Of other queues than quorum queues nothing is asked.
[[nodiscard]] Task<Result<ReturnRules>> returnRulesNow(ManagementApi &api, LiveQueue queue);

} // namespace broker::rabbitmq
