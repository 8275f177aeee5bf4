#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/rabbitmq/http/managementapi.h"

namespace broker::rabbitmq {

// Fills in the number of consumers of queues whose messages expire so soon that it decides whether they are lost: at most
// mostConsumersAsked of them, each with a call of its own, because live totals have no consumers. What cannot be read stays
// unknown. Cancelled: the broker is being closed.
inline constexpr qsizetype mostConsumersAsked = 20;
[[nodiscard]] Task<Result<>> addConsumerCounts(ManagementApi &api, QList<QueueInfo> *queues);

} // namespace broker::rabbitmq
