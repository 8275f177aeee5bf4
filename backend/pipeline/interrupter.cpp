#include "backend/pipeline/interrupter.h"

namespace pipeline {

void Interrupter::interrupt()
{
    const std::lock_guard lock(m_mutex);
    m_isInterrupted = true;
    if (m_stop)
        m_stop();
}

bool Interrupter::isInterrupted() const
{
    const std::lock_guard lock(m_mutex);
    return m_isInterrupted;
}

void Interrupter::attach(std::function<void()> stop)
{
    const std::lock_guard lock(m_mutex);
    m_stop = std::move(stop);
    if (m_isInterrupted)
        m_stop();
}

void Interrupter::detach()
{
    const std::lock_guard lock(m_mutex);
    m_stop = {};
}

} // namespace pipeline
