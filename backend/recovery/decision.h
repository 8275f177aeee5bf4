#pragma once

#include "backend/core/random.h"
#include "backend/recovery/classification.h"
#include "backend/recovery/policy.h"

#include <optional>

namespace recovery {

enum class Reason {
    None, // the message is retried
    Permanent, // another try cannot succeed
    AttemptsUsed, // all attempts of the policy have failed
    GapTooLong, // two delayed retries would be, or have been, further apart than the policy allows
    BackstopReached, // the next attempt would come at a greater age than the backstop allows
    ExpiresBefore, // the message expires before its next attempt
    Expired, // the message has expired
    Obsolete, // what the message is about no longer exists
};
constexpr Reason lastOf(Reason)
{
    return Reason::Obsolete;
}

struct Decision
{
    enum class Do {
        RetryNow, // an immediate retry
        RetryAt, // a delayed retry at `at`
        GiveUp, // no retry: Policy::exhausted says what happens to the message
        Discard, // no retry, and the message is of no use to anybody
    };
    friend constexpr Do lastOf(Do) { return Do::Discard; }

    Do what = Do::GiveUp;
    Reason reason = Reason::None; // of GiveUp and Discard
    core::Milliseconds delay{0}; // of RetryAt, with jitter
    core::TimePoint at; // of RetryAt: now + delay

    REDRIVE_FIELDS(what, reason, delay, at)
    friend bool operator==(const Decision &, const Decision &) = default;
};

// What a policy has done for a message so far. Whoever runs the policy stores it and calls progressAfter() on the way.
struct Progress
{
    int failed = 1; // failed attempts, the present one included
    int inRound = 1; // those since the last delayed retry
    int delayed = 0; // delayed retries made
    core::TimePoint firstFailure;
    std::optional<core::TimePoint> lastDelayed; // when the last delayed retry was decided

    REDRIVE_FIELDS(failed, inRound, delayed, firstFailure, lastDelayed)
    friend bool operator==(const Progress &, const Progress &) = default;
};

// The progress of a message of which only the number of failed attempts is known, as from a header: each round is taken
// to have used its whole immediate budget. For a failure of class Delayed each attempt is a round. How long ago the last
// delayed retry was decided is unknown then, and not checked.
[[nodiscard]] Progress progressOf(const Policy &policy, FailureClass as, int failed, core::TimePoint firstFailure);
// The progress at the next failure, if the decision was taken at `now` and its retry fails, too.
[[nodiscard]] Progress progressAfter(const Progress &progress, const Decision &decision, core::TimePoint now);

// Decides what happens after a failure of this class. Without `random` there is no jitter. The rules, in their order:
//  1. Permanent: give up (NServiceBus, "Unrecoverable exceptions").
//  2. attemptsOf() attempts have failed: give up. This bound holds whatever else the progress says, so no message is
//     retried for ever.
//  3. The age at the next attempt is more than backstopOf(): give up (ReportStream, Batch: older tasks are ignored).
//  4. Transient, and the round has immediate retries left: retry now.
//  5. Delayed retries are left: retry after the delay of the schedule. If the delay is more than longestGapOf(), or, for
//     other schedules than a cadence, the last delayed retry was decided longer ago than that: give up (NServiceBus,
//     "Delayed retries").
// Jitter never moves a retry beyond the longest gap, the backstop or the expiry, and never away from the turn of a
// cadence. A clock that was set back counts as no age. Any thread.
[[nodiscard]] Decision decide(const Policy &policy, FailureClass as, const Progress &progress, core::TimePoint now,
                              core::Random *random = nullptr);

// A policy with its prepared rules: for many decisions. Immutable: any thread, with a random source of that thread.
class Decider final
{
public:
    explicit Decider(Policy policy);

    [[nodiscard]] const Policy &policy() const { return m_policy; }
    [[nodiscard]] FailureClass classOf(const Failure &failure) const { return m_classifier.classOf(failure); }
    // As above, but first discards a message that has expired (Azure Service Bus, Time To Live) or is obsolete
    // (deferred dispatch), and gives up one that expires before its next attempt.
    [[nodiscard]] Decision decide(const Failure &failure, const Progress &progress, core::TimePoint now,
                                  core::Random *random = nullptr) const;
    // With the number of failed attempts only: progressOf().
    [[nodiscard]] Decision decide(const Failure &failure, int failed, core::TimePoint firstFailure, core::TimePoint now,
                                  core::Random *random = nullptr) const;

private:
    [[nodiscard]] Decision decideAs(FailureClass as, const Failure &failure, const Progress &progress,
                                    core::TimePoint now, core::Random *random) const;

    Policy m_policy;
    Classifier m_classifier;
};

// One decision by a policy that is not needed again: prepares the rules each time.
[[nodiscard]] Decision decide(const Policy &policy, const Failure &failure, int failed, core::TimePoint firstFailure,
                              core::TimePoint now, core::Random *random = nullptr);

// One sentence for a person: why a message is not retried. Empty for Reason::None.
[[nodiscard]] QString reasonText(Reason reason, const Policy &policy);

} // namespace recovery
