#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/servicebus/queuefeed.h"

namespace broker {

// What the entities of a namespace are to us: a queue or subscription with its dead-letter queue each, a topic as what can be
// sent to. Auto-forwarding is a reason why nothing can be taken there, and makes its end a queue of failed messages.
[[nodiscard]] QList<QueueInfo> describe(const QList<FeedQueue> &entities, const QStringList &errorQueues,
                                        bool countsAreExact);

// A queue that the connection names, of which nothing else is known.
[[nodiscard]] QueueInfo describeNamed(const QString &name);

[[nodiscard]] bool isDeadLetter(const QString &queue);

} // namespace broker
