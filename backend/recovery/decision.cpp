#include "backend/recovery/decision.h"

#include "backend/core/time/durationtext.h"
#include "backend/recovery/schedule.h"
#include "backend/recovery/text.h"

#include <algorithm>

namespace recovery {

using core::Milliseconds;
using core::TimePoint;
using Do = Decision::Do;

namespace {

using Latest = std::optional<TimePoint>; // nothing: no limit

constexpr Milliseconds tick{1}; // the smallest step of a TimePoint

Decision giveUp(Reason reason)
{
    return {.what = Do::GiveUp, .reason = reason, .delay = {}, .at = {}};
}

Decision discard(Reason reason)
{
    return {.what = Do::Discard, .reason = reason, .delay = {}, .at = {}};
}

// The end of the retries by the backstop.
Latest lastMoment(const Policy &policy, const Progress &progress, TimePoint now)
{
    const std::optional<Milliseconds> backstop = backstopOf(policy);
    if (!backstop)
        return std::nullopt;
    return std::min(progress.firstFailure, now) + *backstop;
}

bool isTooLate(const Policy &policy, const Progress &progress, Milliseconds gap, TimePoint now)
{
    return policy.schedule.kind != Schedule::Kind::Cadence && progress.lastDelayed && now - *progress.lastDelayed > gap;
}

Decision delayedRetry(const Policy &policy, const Progress &progress, TimePoint now, const Latest &latest,
                      core::Random *random)
{
    const Milliseconds delay = delayOf(policy.schedule, progress.delayed, now);
    Milliseconds most = Milliseconds::max();
    if (const std::optional<Milliseconds> gap = longestGapOf(policy)) {
        if (delay > *gap || isTooLate(policy, progress, *gap, now))
            return giveUp(Reason::GapTooLong);
        most = *gap;
    }
    if (latest) {
        if (now + delay > *latest)
            return giveUp(Reason::BackstopReached);
        most = std::min(most, *latest - now);
    }
    const bool isSpread = random != nullptr && policy.schedule.kind != Schedule::Kind::Cadence;
    const Milliseconds spread = isSpread ? std::min(withJitter(delay, policy.jitter, *random), most) : delay;
    return {.what = Do::RetryAt, .reason = Reason::None, .delay = spread, .at = now + spread};
}

Decision decideWithin(const Policy &policy, FailureClass as, const Progress &progress, TimePoint now,
                      const Latest &latest, core::Random *random)
{
    if (as == FailureClass::Permanent)
        return giveUp(Reason::Permanent);
    if (progress.failed >= attemptsOf(policy))
        return giveUp(Reason::AttemptsUsed);
    if (latest && now > *latest)
        return giveUp(Reason::BackstopReached);
    if (as == FailureClass::Transient && progress.inRound <= policy.immediate)
        return {.what = Do::RetryNow, .reason = Reason::None, .delay = {}, .at = {}};
    if (progress.delayed >= policy.delayed)
        return giveUp(Reason::AttemptsUsed);
    return delayedRetry(policy, progress, now, latest, random);
}

} // namespace

Progress progressOf(const Policy &policy, FailureClass as, int failed, TimePoint firstFailure)
{
    const int round = as == FailureClass::Delayed ? 1 : std::max(policy.immediate, 0) + 1;
    const int before = std::max(failed, 1) - 1;
    return {.failed = before + 1,
            .inRound = before % round + 1,
            .delayed = before / round,
            .firstFailure = firstFailure,
            .lastDelayed = std::nullopt};
}

Progress progressAfter(const Progress &progress, const Decision &decision, TimePoint now)
{
    Progress next = progress;
    ++next.failed;
    ++next.inRound;
    if (decision.what == Do::RetryAt) {
        next.inRound = 1;
        ++next.delayed;
        next.lastDelayed = now;
    }
    return next;
}

Decision decide(const Policy &policy, FailureClass as, const Progress &progress, TimePoint now, core::Random *random)
{
    return decideWithin(policy, as, progress, now, lastMoment(policy, progress, now), random);
}

Decider::Decider(Policy policy)
    : m_policy(std::move(policy))
    , m_classifier(m_policy)
{
}

Decision Decider::decideAs(FailureClass as, const Failure &failure, const Progress &progress, TimePoint now,
                           core::Random *random) const
{
    if (failure.isObsolete)
        return discard(Reason::Obsolete);
    if (failure.expiresAt && now >= *failure.expiresAt)
        return discard(Reason::Expired);
    const Latest backstop = lastMoment(m_policy, progress, now);
    if (!failure.expiresAt || (backstop && *backstop < *failure.expiresAt))
        return decideWithin(m_policy, as, progress, now, backstop, random);
    // At the moment of its expiry a message is expired already.
    Decision decision = decideWithin(m_policy, as, progress, now, *failure.expiresAt - tick, random);
    if (decision.reason == Reason::BackstopReached)
        decision.reason = Reason::ExpiresBefore;
    return decision;
}

Decision Decider::decide(const Failure &failure, const Progress &progress, TimePoint now, core::Random *random) const
{
    return decideAs(classOf(failure), failure, progress, now, random);
}

Decision Decider::decide(const Failure &failure, int failed, TimePoint firstFailure, TimePoint now,
                         core::Random *random) const
{
    const FailureClass as = classOf(failure);
    return decideAs(as, failure, progressOf(m_policy, as, failed, firstFailure), now, random);
}

Decision decide(const Policy &policy, const Failure &failure, int failed, TimePoint firstFailure, TimePoint now,
                core::Random *random)
{
    return Decider(policy).decide(failure, failed, firstFailure, now, random);
}

QString reasonText(Reason reason, const Policy &policy)
{
    using core::durationText;
    switch (reason) {
    case Reason::None:
        return {};
    case Reason::Permanent:
        return Text::tr("The failure is permanent: another try cannot succeed.");
    case Reason::AttemptsUsed:
        return Text::tr("All retries of the policy have failed.");
    case Reason::GapTooLong:
        return Text::tr("Two delayed retries would be more than %1 apart.")
            .arg(durationText(longestGapOf(policy).value_or(longestGapByDefault)));
    case Reason::BackstopReached:
        return Text::tr("The next retry would come more than %1 after the first failure.")
            .arg(durationText(backstopOf(policy).value_or(Milliseconds{0})));
    case Reason::ExpiresBefore:
        return Text::tr("The message expires before its next retry.");
    case Reason::Expired:
        return Text::tr("The message has expired.");
    case Reason::Obsolete:
        return Text::tr("What the message is about no longer exists.");
    }
    Q_UNREACHABLE();
}

} // namespace recovery
