#include "backend/retry/gates/ratelimiter.h"

#include <algorithm>

namespace retry {

namespace {

constexpr core::Milliseconds minute = std::chrono::minutes{1};

// How much time of the rate this many messages use up.
core::Milliseconds worth(qint64 perMinute, qint64 members)
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
    const auto paid = m_paid.find(operation.id);
    if (!operation.plan.perMinute || paid == m_paid.end())
        return {};
    const core::SteadyTime now = m_clock.steady();
    *paid = std::min(*paid, now + worth(*operation.plan.perMinute, records::largestBatch(operation.plan)));
    return std::max(*paid - now, core::Milliseconds{0});
}

// Time lost while staging is caught up, but never by more than one share.
void RateLimiter::handedOver(const records::RetryOperation &operation, int members)
{
    if (!operation.plan.perMinute)
        return;
    const qint64 perMinute = *operation.plan.perMinute;
    const core::SteadyTime earliest = m_clock.steady() - worth(perMinute, records::largestBatch(operation.plan));
    const core::SteadyTime from = std::max(m_paid.value(operation.id, m_clock.steady()), earliest);
    m_paid.insert(operation.id, from + worth(perMinute, members));
}

} // namespace retry
