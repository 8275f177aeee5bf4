#pragma once

#include "backend/broker/rabbitmq/http/managementapi.h"

namespace broker::rabbitmq {

// Why messages cannot be taken from a queue of this kind, for people; empty: they can.
[[nodiscard]] QString refusalOf(const LiveQueue &queue);
// Why Redrive sends nothing to it, for people; empty: it may.
[[nodiscard]] QString sendRefusalOf(const LiveQueue &queue);
// Why no exchange can be bound to it, so that nothing can be moved or forwarded to it; empty: one can. A publish to its name
// arrives.
[[nodiscard]] QString bindingRefusalOf(const LiveQueue &queue);

} // namespace broker::rabbitmq
