#include "backend/http/breaker.h"

#include <algorithm>

namespace http {

Breaker::Breaker(core::Clock &clock, Settings settings)
    : m_clock(clock)
    , m_settings(settings)
{
}

bool Breaker::tryEnter()
{
    if (m_failures < m_settings.threshold)
        return true;
    if (m_probing || openFor().count() > 0)
        return false;
    m_probing = true;
    return true;
}

void Breaker::succeeded()
{
    m_failures = 0;
    m_probing = false;
}

void Breaker::failed()
{
    ++m_failures;
    m_probing = false;
    if (m_failures >= m_settings.threshold)
        m_openUntil = m_clock.steady() + m_settings.pause;
}

void Breaker::abandoned()
{
    m_probing = false;
}

core::Milliseconds Breaker::openFor() const
{
    if (m_failures < m_settings.threshold)
        return core::Milliseconds{0};
    return std::max(core::Milliseconds{0}, m_openUntil - m_clock.steady());
}

} // namespace http
