#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/servicebus/queuefeed.h"

namespace broker {

// Describes the entities of a namespace: a queue or subscription with its dead-letter queue, a topic as a destination.
// Nothing can be taken from an entity that auto-forwards; a queue that dead letters are forwarded to counts as a
// dead-letter queue.
[[nodiscard]] QList<QueueInfo> describe(const QList<FeedQueue> &entities, const QStringList &errorQueues,
                                        bool countsAreExact);

// A queue that the connection names and of which nothing else is known.
[[nodiscard]] QueueInfo describeNamed(const QString &name);

[[nodiscard]] bool isDeadLetter(const QString &queue);

} // namespace broker
