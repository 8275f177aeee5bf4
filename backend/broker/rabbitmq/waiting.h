// Where messages came from that have only deaths of reason "expired": such a queue may be one in which a message waits before
// it is tried again. What was rejected tells that by itself.
#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/rabbitmq/managementapi.h"

namespace broker::rabbitmq {

// The queue in which the message of these headers expired last; empty: it was dead-lettered for another reason, or never.
[[nodiscard]] QString expiredIn(const records::Headers &headers);

// Messages of `queue` with their origin: the queue in which they expired where its dead letters come to `queue`, else the one
// queue to which they went on from there. Left open: that queue is gone, or several take what it lets go. One or two calls
// for each such queue, none for other messages. Errors are those of the calls: read the page again.
[[nodiscard]] Task<Result<QList<ReceivedMessage>>> withOrigins(ManagementApi &api, QString queue,
                                                               QList<ReceivedMessage> messages);

} // namespace broker::rabbitmq
