// Where a policy puts messages back that it gives up ("dead-letter"), on brokers with dead-letter queues that only they
// fill (Azure Service Bus). Such a queue takes nothing back, so its messages go to the queue that the policy names. Engine
// thread.
#pragma once

#include "backend/engine/commands/connectionservice.h"
#include "backend/recovery/assignment.h"

namespace engine {

// What a release can put back into its queue, and what it cannot. A message that cannot be read counts as open.
struct WaysBack
{
    QList<core::MessageId> open;
    QList<core::MessageId> closed;
};
[[nodiscard]] core::Result<WaysBack> waysBack(store::Store &store, const PlanBasis &basis,
                                              const QList<core::MessageId> &messages);
// Whether a release can put nothing back into this queue.
[[nodiscard]] bool isClosed(const ConnectionService &connections, core::ConnectionId connection, const QString &queue);
// For people: why a policy without a queue of its own cannot put back what came from a closed queue, and what to do.
[[nodiscard]] QString noWayBackText(const QString &connection);

// Whether the policy can put away what this scope gives it. Refused: for some of it there is no way, or the right
// "redirect" is missing. Rejected: it would move the messages to the queue of this scope or to an error queue. What a
// broker that does not answer can do is not known, so it is not refused; a queue that does not exist is waited for.
[[nodiscard]] core::Result<> checkEnding(const ConnectionService &connections, const recovery::Policy &policy,
                                         const recovery::Scope &scope);
// The same before the policy is for anything. An error: it could not put anything away on any connection.
[[nodiscard]] core::Result<> checkEndingAnywhere(const ConnectionService &connections, const recovery::Policy &policy);

} // namespace engine
