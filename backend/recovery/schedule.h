// When the delayed retries of a policy come. Pure functions for any thread.
#pragma once

#include "backend/core/random.h"
#include "backend/recovery/policy.h"

namespace recovery {

// The wait before the delayed retry with this number, from 0, before jitter. A cadence waits from `now` to its next turn,
// which is never `now` itself. No result is longer than 100 years, whatever the schedule says.
[[nodiscard]] core::Milliseconds delayOf(const Schedule &schedule, int round, core::TimePoint now);

// What jitter can make of a delay.
struct DelayRange
{
    core::Milliseconds least{0};
    core::Milliseconds most{0};

    REDRIVE_FIELDS(least, most)
    friend bool operator==(const DelayRange &, const DelayRange &) = default;
};

[[nodiscard]] DelayRange rangeOf(core::Milliseconds delay, const Jitter &jitter);

// The delay with jitter: a random one of its range. Sources: AWS architecture blog "Exponential Backoff And Jitter"
// for full and equal.
[[nodiscard]] core::Milliseconds withJitter(core::Milliseconds delay, const Jitter &jitter, core::Random &random);

// The longest wait before that delayed retry: delayOf() with all that jitter can add.
[[nodiscard]] core::Milliseconds longestDelayOf(const Policy &policy, int round, core::TimePoint now);

} // namespace recovery
