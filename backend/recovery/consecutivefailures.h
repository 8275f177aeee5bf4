#pragma once

#include "backend/core/fields.h"
#include "backend/core/time/clock.h"
#include "backend/recovery/policy.h"

#include <optional>

namespace recovery {

// One time of rate limiting, from the failure that started it to the success that ended it.
struct LimitedSpan
{
    core::TimePoint started;
    std::optional<core::TimePoint> ended; // nothing: it goes on
    int failuresBefore = 0; // consecutive failures up to the start
    int failedProbes = 0; // failures since

    REDRIVE_FIELDS(started, ended, failuresBefore, failedProbes)
    friend bool operator==(const LimitedSpan &, const LimitedSpan &) = default;
};

// What a ConsecutiveFailures knows: to be stored, so that a restart does not end a limit.
struct LimitState
{
    int consecutive = 0; // failed attempts since the last success
    core::TimePoint lastFailure;
    std::optional<LimitedSpan> span; // the present or the last one

    REDRIVE_FIELDS(consecutive, lastFailure, span)
    friend bool operator==(const LimitState &, const LimitState &) = default;
};

// Rate limiting after consecutive failures (NServiceBus, "Automatic rate limiting"; its code counts every failed
// processing attempt, immediate retries included, and has no half-open state):
//     normal --n consecutive failures--> probing --first success--> normal
// While probing, one message at a time is tried, and after each failure, the one that started it included, nothing is
// tried for the wait. No message is refused. A pure state machine: the caller says what happened and when, and asks
// before each attempt. Not thread-safe.
class ConsecutiveFailures final
{
public:
    // Without a limit it never probes.
    explicit ConsecutiveFailures(std::optional<RateLimit> limit, const LimitState &state = {});

    enum class Change { None, Started, Ended };
    // An attempt that ended at `now`. The change is what to log and show.
    Change failed(core::TimePoint now);
    Change succeeded(core::TimePoint now);

    [[nodiscard]] bool isProbing() const;
    // May another attempt start while so many are running?
    [[nodiscard]] bool mayStart(core::TimePoint now, int running) const;
    // How long to wait for the next probe: 0 if it may start now or nothing is limited. A clock that was set back ends the
    // wait.
    [[nodiscard]] core::Milliseconds waitAt(core::TimePoint now) const;
    [[nodiscard]] const LimitState &state() const { return m_state; }

private:
    std::optional<RateLimit> m_limit;
    LimitState m_state;
};

} // namespace recovery
