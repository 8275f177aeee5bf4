// When a retry pauses by itself because too many of its messages came back. Pure functions: who counts a return applies
// them in the same transaction, so that no crash lets the retry go on.
#pragma once

#include "backend/records/retries/retry.h"

#include <optional>

namespace records {

// What the stop rule counts: messages since the start, or since a person last resumed the operation.
struct ReturnCounts
{
    qint64 back = 0; // came back
    qint64 sent = 0; // sent or in doubt
};
[[nodiscard]] ReturnCounts returnsOf(const RetryOperation &operation);

// Whether the limit is reached. A percentage is of at least 100 messages, or of all that may be sent so far if these are
// fewer, so that the first few messages do not stop thousands.
[[nodiscard]] bool hasTooManyBack(const RetryOperation &operation);

// Whether so many messages are enough to stop a retry by the share that came back. A retry of a policy that has fewer has
// no such rule: one failure of three would stop the policy, whose attempts bound it anyway.
[[nodiscard]] bool isEnoughForShare(qint64 messages);

// The operation after its stop rule paused it at `now`, with the reason; nothing: the rule does not pause it. An operation
// that a person paused is stopped, too: whoever resumes it must see the reason first. Its pause began earlier then.
[[nodiscard]] std::optional<RetryOperation> stopped(RetryOperation operation, core::TimePoint now);

} // namespace records
