#include "backend/retry/gates/ratelimiter.h"

#include <algorithm>

namespace retry {

namespace {

constexpr core::Milliseconds minute = std::chrono::minutes{1};

// How much time of the rate this many messages use up.
core::Milliseconds timeFor(qint64 perMinute, qint64 members)
{
    return minute * members / perMinute;
}

} // namespace

core::Milliseconds RateLimiter::untilBegin(const records::RetryOperation &operation) const
{
    if (operation.started || !operation.plan.notBefore)
        return {};
    return std::max(core::Milliseconds{0}, *operation.plan.notBefore - m_clock.now());
}

// After the rate was raised, the wait is at most one share from now.
core::Milliseconds RateLimiter::untilNext(const records::RetryOperation &operation)
{
    const auto usedUntil = m_usedUntil.find(operation.id);
    if (!operation.plan.perMinute || usedUntil == m_usedUntil.end())
        return {};
    const core::SteadyTime now = m_clock.steady();
    *usedUntil = std::min(*usedUntil, now + timeFor(*operation.plan.perMinute, records::largestBatch(operation.plan)));
    return std::max(*usedUntil - now, core::Milliseconds{0});
}

// Time lost while staging is caught up, but never by more than one share.
void RateLimiter::handedOver(const records::RetryOperation &operation, int members)
{
    if (!operation.plan.perMinute)
        return;
    const qint64 perMinute = *operation.plan.perMinute;
    const core::SteadyTime earliest = m_clock.steady() - timeFor(perMinute, records::largestBatch(operation.plan));
    const core::SteadyTime from = std::max(m_usedUntil.value(operation.id, m_clock.steady()), earliest);
    m_usedUntil.insert(operation.id, from + timeFor(perMinute, members));
}

} // namespace retry
