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

bool Interrupter::startCommit()
{
    const std::lock_guard lock(m_mutex);
    m_mayHaveCommitted = m_mayHaveCommitted || !m_isInterrupted;
    return !m_isInterrupted;
}

bool Interrupter::mayHaveCommitted() const
{
    const std::lock_guard lock(m_mutex);
    return m_mayHaveCommitted;
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
