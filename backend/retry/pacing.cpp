#include "backend/retry/pacing.h"

#include "backend/core/limits.h"

#include <algorithm>

namespace retry {

namespace {

constexpr core::Milliseconds minute = std::chrono::minutes{1};

// How long the rate has to pay for so many.
core::Milliseconds worth(qint64 perMinute, qint64 members)
{
    return minute * members / perMinute;
}

} // namespace

std::optional<int> Pacing::share(const records::Plan &plan)
{
    if (!plan.perMinute)
        return std::nullopt;
    constexpr qint64 secondsOfMinute = 60;
    return int(std::clamp<qint64>(*plan.perMinute / secondsOfMinute, 1, core::limits::batchMembers));
}

core::Milliseconds Pacing::untilBegin(const records::RetryOperation &operation) const
{
    if (operation.started || !operation.plan.notBefore)
        return {};
    return std::max(core::Milliseconds{0}, *operation.plan.notBefore - m_clock.now());
}

core::Milliseconds Pacing::untilNext(const records::RetryOperation &operation) const
{
    const auto paid = m_paid.constFind(operation.id);
    const std::optional<int> most = share(operation.plan);
    if (!most || paid == m_paid.cend())
        return {};
    // A clock that was set back, or a rate that was raised, must not make it wait for longer than one share is worth.
    return std::clamp(*paid - m_clock.now(), core::Milliseconds{0}, worth(*operation.plan.perMinute, *most));
}

// What was late, because staging took its time, is caught up with; but never by more than one share.
void Pacing::handedOver(const records::RetryOperation &operation, int members)
{
    const std::optional<int> most = share(operation.plan);
    if (!most)
        return;
    const qint64 perMinute = *operation.plan.perMinute;
    const core::TimePoint earliest = m_clock.now() - worth(perMinute, *most);
    const core::TimePoint from = std::max(m_paid.value(operation.id, m_clock.now()), earliest);
    m_paid.insert(operation.id, from + worth(perMinute, members));
}

} // namespace retry
