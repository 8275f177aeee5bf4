#include "backend/http/circuitbreaker.h"

#include <algorithm>

namespace http {

CircuitBreaker::CircuitBreaker(core::Clock &clock, Settings settings)
    : m_clock(clock)
    , m_settings(settings)
{
}

bool CircuitBreaker::tryEnter()
{
    if (m_failures < m_settings.threshold)
        return true;
    if (m_probing || openFor().count() > 0)
        return false;
    m_probing = true;
    return true;
}

void CircuitBreaker::succeeded()
{
    m_failures = 0;
    m_probing = false;
}

void CircuitBreaker::failed()
{
    ++m_failures;
    m_probing = false;
    if (m_failures >= m_settings.threshold)
        m_openUntil = m_clock.steady() + m_settings.pause;
}

void CircuitBreaker::abandoned()
{
    m_probing = false;
}

core::Milliseconds CircuitBreaker::openFor() const
{
    if (m_failures < m_settings.threshold)
        return core::Milliseconds{0};
    return std::max(core::Milliseconds{0}, m_openUntil - m_clock.steady());
}

} // namespace http
