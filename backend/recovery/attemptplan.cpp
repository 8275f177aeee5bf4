#include "backend/recovery/attemptplan.h"

#include "backend/recovery/decision.h"

#include <algorithm>

namespace recovery {

AttemptPlan planAttempts(const Policy &policy, int instances)
{
    const core::TimePoint start{policy.schedule.offset}; // a turn of a cadence
    core::TimePoint now = start;
    Progress progress{.failed = 1, .inRound = 1, .delayed = 0, .firstFailure = start, .lastDelayed = std::nullopt};
    AttemptPlan plan;
    plan.steps.append(PlannedAttempt{});
    while (plan.steps.size() < mostSteps) {
        const Decision decision = decide(policy, FailureClass::Transient, progress, now);
        if (decision.reason != Reason::None)
            break;
        progress = progressAfter(progress, decision, now);
        now += decision.delay;
        const bool isDelayed = decision.what == Decision::Do::RetryAt;
        plan.steps.append({.attempt = progress.failed,
                           .kind = isDelayed ? PlannedAttempt::Kind::Delayed : PlannedAttempt::Kind::Immediate,
                           .delay = decision.delay,
                           .at = now - start});
    }
    plan.instances = std::max(instances, 1);
    plan.attempts = plan.steps.size();
    plan.attemptsAtMost = plan.attempts * plan.instances;
    plan.givesUpAfter = now - start;
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
