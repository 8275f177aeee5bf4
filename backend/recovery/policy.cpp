#include "backend/recovery/policy.h"

namespace recovery {

qint64 attemptsOf(const Policy &policy)
{
    return (qint64(policy.immediate) + 1) * (qint64(policy.delayed) + 1);
}

Jitter jitterByDefault(Schedule::Kind kind)
{
    return {.kind = kind == Schedule::Kind::Exponential ? Jitter::Kind::Full : Jitter::Kind::None, .percent = 0};
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

std::optional<records::StopWhen> stopRuleOf(const Policy &policy)
{
    constexpr records::StopWhen half{.amount = 50, .percent = true};
    if (!policy.stopWhen)
        return policy.rateLimit ? std::nullopt : std::optional(half);
    return policy.stopWhen->amount == 0 ? std::nullopt : policy.stopWhen;
}

qint64 turnsBeforeBackstop(const Policy &policy)
{
    const std::optional<core::Milliseconds> backstop = backstopOf(policy);
    constexpr core::Milliseconds shortest{1}; // from the failure to its first turn
    if (policy.schedule.kind != Schedule::Kind::Cadence || policy.schedule.every < shortest || *backstop < shortest)
        return 0;
    return (*backstop - shortest) / policy.schedule.every + 1;
}

} // namespace recovery
