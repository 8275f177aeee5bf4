#pragma once

#include "backend/broker/brokerload.h"
#include "backend/broker/rabbitmq/http/managementapi.h"

namespace broker::rabbitmq {

// How much the nodes say that they have to do: run queue and processors of the one with the most, as RabbitMQ counted them in
// its last 5 s. Errors: Unauthorized without the tag "monitoring"; Transient: no node that runs tells both, because it has
// just started or collects no statistics.
[[nodiscard]] Task<Result<LoadReading>> readLoad(ManagementApi &api);

} // namespace broker::rabbitmq
