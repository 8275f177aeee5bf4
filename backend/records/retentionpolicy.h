#pragma once

#include "backend/core/clock.h"
#include "backend/core/ids.h"

#include <chrono>
#include <optional>

namespace records {

// How long the store keeps what is done with. Nothing else ever goes by itself.
struct RetentionPolicy
{
    std::optional<core::Milliseconds> resolved; // so long after a message was resolved it is removed; nothing: never
    std::optional<core::Milliseconds> archived; // likewise

    friend bool operator==(const RetentionPolicy &, const RetentionPolicy &) = default;
};

// When silence is proof: a message that was sent back and did not come back for so long, while its queues of failed
// messages were watched, counts as processed. Nothing: it never does.
struct QuietRule
{
    core::ConnectionId connection;
    std::optional<core::Milliseconds> after;

    friend bool operator==(const QuietRule &, const QuietRule &) = default;
};

inline constexpr core::Milliseconds defaultQuiet = std::chrono::hours(24);
// What comes back to a retry that has ended is watched no longer than that for its sake.
inline constexpr core::Milliseconds longestWatchBack = std::chrono::hours(24 * 7);
inline constexpr core::Milliseconds defaultRetention = std::chrono::hours(24 * 90);

} // namespace records
