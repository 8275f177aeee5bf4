#pragma once

#include "backend/core/fields.h"
#include "backend/core/ids.h"
#include "backend/core/time/clock.h"
#include "backend/records/messages/message.h"

#include <chrono>
#include <optional>

namespace records {

// Whether retention, or a person with the right to delete, removes messages of this status. Redrive removes no other message
// that it has taken.
[[nodiscard]] constexpr bool mayBeRemoved(MessageStatus status)
{
    return status == MessageStatus::Resolved || status == MessageStatus::Archived;
}

// Retention: how long the store keeps messages that are resolved or archived.
struct RetentionPolicy
{
    std::optional<core::Milliseconds> resolved; // a message is removed this long after it was resolved; nothing: never
    std::optional<core::Milliseconds> archived; // likewise after it was archived

    REDRIVE_FIELDS(resolved, archived)
    friend bool operator==(const RetentionPolicy &, const RetentionPolicy &) = default;
};

// When a retried message counts as processed: it did not come back for this long while Redrive watched its error
// queues. Nothing: never.
struct QuietRule
{
    core::ConnectionId connection;
    std::optional<core::Milliseconds> after;

    REDRIVE_FIELDS(connection, after)
    friend bool operator==(const QuietRule &, const QuietRule &) = default;
};

inline constexpr core::Milliseconds defaultQuiet = std::chrono::hours(24);
// How long at most Redrive watches for returns after a retry has finished.
inline constexpr core::Milliseconds longestWatchBack = std::chrono::hours(24 * 7);
inline constexpr core::Milliseconds defaultRetention = std::chrono::hours(24 * 90);

} // namespace records
