#pragma once

#include "backend/recovery/schedule.h"

namespace recovery {

struct PlannedAttempt
{
    enum class Kind { First, Immediate, Delayed };
    friend constexpr Kind lastOf(Kind) { return Kind::Delayed; }

    int attempt = 1; // from 1
    Kind kind = Kind::First;
    core::Milliseconds delay{0}; // since the attempt before, before jitter
    core::Milliseconds at{0}; // since the first failure
    // What jitter makes of both. In a cadence the first turn comes up to one cycle after the failure, and all others with it.
    DelayRange delays;
    DelayRange times;

    REDRIVE_FIELDS(attempt, kind, delay, at, delays, times)
    friend bool operator==(const PlannedAttempt &, const PlannedAttempt &) = default;
};

// The attempts of a message that no attempt and no rule helps, on a time line. Processing takes no time in it.
struct AttemptPlan
{
    // The most that can happen: (immediate + 1) x (delayed + 1), fewer if longest gap or backstop end the retries before.
    qint64 attempts = 1;
    // With several instances that take from the same queue, where each counts for itself: `instances` times `attempts`.
    // Where a counter of the broker prevents that: facts/deliverycounters.h. Source: NServiceBus, "Scale-out multiplier".
    qint64 attemptsAtMost = 1;
    int instances = 1;
    core::Milliseconds givesUpAfter{0}; // when the last attempt fails, before jitter
    DelayRange givesUp; // with jitter
    QList<PlannedAttempt> steps;

    REDRIVE_FIELDS(attempts, attemptsAtMost, instances, givesUpAfter, givesUp, steps)
    friend bool operator==(const AttemptPlan &, const AttemptPlan &) = default;
};

// `instances` below 1 counts as 1. Of a cadence it is the run with the most turns, and of these the longest one. Where
// jitter can bring more retries before the backstop, they are counted. At most `mostSteps` steps are listed, which is more
// than a policy from a file has. Pure: any thread.
[[nodiscard]] AttemptPlan planAttempts(const Policy &policy, int instances = 1);

inline constexpr int mostSteps = 10000;

// "first", "immediate" or "delayed", for JSON.
[[nodiscard]] QString toString(PlannedAttempt::Kind kind);

} // namespace recovery
