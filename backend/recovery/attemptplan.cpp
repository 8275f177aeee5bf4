#include "backend/recovery/attemptplan.h"

#include "backend/recovery/decision.h"

#include <algorithm>

namespace recovery {

using core::Milliseconds;

namespace {

bool isCadence(const Policy &policy)
{
    return policy.schedule.kind == Schedule::Kind::Cadence;
}

// How long before its first turn a message fails, so that it meets the most turns and the last of them as late as possible.
Milliseconds longestLead(const Policy &policy)
{
    const Milliseconds every = policy.schedule.every;
    const qint64 turns = std::min<qint64>(policy.delayed, turnsBeforeBackstop(policy));
    return turns < 1 ? every : std::min<Milliseconds>(every, *backstopOf(policy) - (turns - 1) * every);
}

DelayRange delaysOf(const Policy &policy, int round, Milliseconds delay)
{
    if (!isCadence(policy))
        return rangeOf(delay, policy.jitter);
    return {.least = round == 0 ? Milliseconds{0} : delay, .most = policy.schedule.every};
}

// The delayed retry after the attempt `last`, which decide() allowed.
PlannedAttempt delayedAfter(const PlannedAttempt &last, const Policy &policy, int round, Milliseconds delay)
{
    constexpr Milliseconds always = Milliseconds::max();
    const Milliseconds backstop = backstopOf(policy).value_or(always);
    PlannedAttempt next;
    next.attempt = last.attempt + 1;
    next.kind = PlannedAttempt::Kind::Delayed;
    next.delay = delay;
    next.delays = delaysOf(policy, round, delay);
    next.delays.most = std::min({next.delays.most, longestGapOf(policy).value_or(always), backstop - last.times.least});
    next.at = std::min(last.at + delay, backstop);
    next.times = {.least = last.times.least + next.delays.least,
                  .most = std::min(last.times.most + next.delays.most, backstop)};
    return next;
}

PlannedAttempt immediateAfter(const PlannedAttempt &last)
{
    PlannedAttempt next = last;
    ++next.attempt;
    next.kind = PlannedAttempt::Kind::Immediate;
    next.delay = Milliseconds{0};
    next.delays = {};
    return next;
}

} // namespace

AttemptPlan planAttempts(const Policy &policy, int instances)
{
    const core::TimePoint start{isCadence(policy) ? policy.schedule.offset - longestLead(policy) : Milliseconds{0}};
    Progress progress{.failed = 1, .inRound = 1, .delayed = 0, .firstFailure = start, .lastDelayed = std::nullopt};
    AttemptPlan plan;
    plan.steps.append(PlannedAttempt{});
    while (plan.steps.size() < mostSteps) {
        const PlannedAttempt last = plan.steps.constLast();
        // The earlier the attempts come, the more of them the backstop allows.
        const core::TimePoint now = start + (isCadence(policy) ? last.at : last.times.least);
        const Decision decision = decide(policy, FailureClass::Transient, progress, now);
        if (decision.reason != Reason::None)
            break;
        const bool isDelayed = decision.what == Decision::Do::RetryAt;
        plan.steps.append(isDelayed ? delayedAfter(last, policy, progress.delayed, decision.delay)
                                    : immediateAfter(last));
        progress = progressAfter(progress, decision, now);
    }
    plan.instances = std::max(instances, 1);
    plan.attempts = plan.steps.size();
    plan.attemptsAtMost = plan.attempts * plan.instances;
    plan.givesUpAfter = plan.steps.constLast().at;
    plan.givesUp = plan.steps.constLast().times;
    return plan;
}

QString toString(PlannedAttempt::Kind kind)
{
    switch (kind) {
    case PlannedAttempt::Kind::First:
        return QStringLiteral("first");
    case PlannedAttempt::Kind::Immediate:
        return QStringLiteral("immediate");
    case PlannedAttempt::Kind::Delayed:
        return QStringLiteral("delayed");
    }
    Q_UNREACHABLE();
}

} // namespace recovery
