// Finds the origin of messages whose deaths all have the reason "expired": such a queue may be one in which a message
// waits before it is tried again. A message that was rejected names its origin itself.
#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/rabbitmq/http/managementapi.h"

namespace broker::rabbitmq {

// The queue in which this message expired last; empty: it was dead-lettered for another reason, or never.
[[nodiscard]] QString expiredIn(const records::Headers &headers);

// Sets the origin of the messages of `queue`: the queue in which they expired if its dead letters go to `queue`, else
// the only queue to which they went on from there. The origin stays empty if that queue is gone, or if several queues
// take its dead letters. Makes one or two calls for each such queue and none for other messages. After an error read
// the page again.
[[nodiscard]] Task<Result<QList<ReceivedMessage>>> withOrigins(ManagementApi &api, QString queue,
                                                               QList<ReceivedMessage> messages);

} // namespace broker::rabbitmq
