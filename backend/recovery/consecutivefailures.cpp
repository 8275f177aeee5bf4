#include "backend/recovery/consecutivefailures.h"

#include <limits>

namespace recovery {

ConsecutiveFailures::ConsecutiveFailures(std::optional<RateLimit> limit, const LimitState &state)
    : m_limit(limit)
    , m_state(state)
{
}

ConsecutiveFailures::Change ConsecutiveFailures::failed(core::TimePoint now)
{
    m_state.lastFailure = now;
    if (m_state.consecutive < std::numeric_limits<int>::max())
        ++m_state.consecutive;
    if (isProbing()) {
        ++m_state.span->failedProbes;
        return Change::None;
    }
    if (!m_limit || m_state.consecutive < m_limit->after)
        return Change::None;
    m_state.span =
        LimitedSpan{.started = now, .ended = std::nullopt, .failuresBefore = m_state.consecutive, .failedProbes = 0};
    return Change::Started;
}

ConsecutiveFailures::Change ConsecutiveFailures::succeeded(core::TimePoint now)
{
    const bool wasProbing = isProbing();
    m_state.consecutive = 0;
    if (!wasProbing)
        return Change::None;
    m_state.span->ended = now;
    return Change::Ended;
}

bool ConsecutiveFailures::isProbing() const
{
    return m_limit && m_state.span && !m_state.span->ended;
}

bool ConsecutiveFailures::mayStart(core::TimePoint now, int running) const
{
    return !isProbing() || (running == 0 && waitAt(now).count() == 0);
}

core::Milliseconds ConsecutiveFailures::waitAt(core::TimePoint now) const
{
    const core::TimePoint next = m_state.lastFailure + (m_limit ? m_limit->wait : core::Milliseconds{0});
    if (!isProbing() || now < m_state.lastFailure || now >= next)
        return core::Milliseconds{0};
    return next - now;
}

} // namespace recovery
