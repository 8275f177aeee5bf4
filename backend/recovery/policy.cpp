#include "backend/recovery/policy.h"

namespace recovery {

qint64 attemptsOf(const Policy &policy)
{
    return (qint64(policy.immediate) + 1) * (qint64(policy.delayed) + 1);
}

std::optional<core::Milliseconds> longestGapOf(const Policy &policy)
{
    if (policy.longestGap || policy.schedule.kind == Schedule::Kind::Cadence)
        return policy.longestGap;
    return longestGapByDefault;
}

std::optional<core::Milliseconds> backstopOf(const Policy &policy)
{
    if (policy.backstop)
        return policy.backstop->age();
    if (policy.schedule.kind == Schedule::Kind::Cadence)
        return Backstop{.cycle = policy.schedule.every}.age();
    return std::nullopt;
}

qint64 turnsBeforeBackstop(const Policy &policy)
{
    const std::optional<core::Milliseconds> backstop = backstopOf(policy);
    if (policy.schedule.kind != Schedule::Kind::Cadence || policy.schedule.every.count() <= 0)
        return 0;
    return *backstop / policy.schedule.every + 1;
}

} // namespace recovery
