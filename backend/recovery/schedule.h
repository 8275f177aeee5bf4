// When the delayed retries of a policy come. Pure functions for any thread.
#pragma once

#include "backend/core/random.h"
#include "backend/recovery/policy.h"

namespace recovery {

// The wait before the delayed retry with this number, from 0, before jitter. A cadence waits from `now` to its next turn,
// which is never `now` itself. No result is longer than 100 years, whatever the schedule says.
[[nodiscard]] core::Milliseconds delayOf(const Schedule &schedule, int round, core::TimePoint now);

// The delay with jitter: between 0 and twice the delay. Sources: AWS architecture blog "Exponential Backoff And Jitter"
// for full and equal.
[[nodiscard]] core::Milliseconds withJitter(core::Milliseconds delay, const Jitter &jitter, core::Random &random);

// The longest wait before that delayed retry: delayOf() with all that jitter can add.
[[nodiscard]] core::Milliseconds longestDelayOf(const Policy &policy, int round, core::TimePoint now);

} // namespace recovery
