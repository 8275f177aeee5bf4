#include "backend/core/time/simulatedclock.h"

#include <algorithm>

namespace core {

SimulatedClock::SimulatedClock(TimePoint start)
    : m_now(start)
{
}

Clock::Ticket SimulatedClock::after(Milliseconds delay, std::function<void()> action)
{
    const Ticket ticket = ++m_last;
    const SteadyTime at = m_steady + std::max(delay, Milliseconds{0});
    m_actions.emplace(Due{at, ticket}, std::move(action));
    m_times.emplace(ticket, at);
    return ticket;
}

void SimulatedClock::cancel(Ticket ticket)
{
    const auto found = m_times.find(ticket);
    if (found == m_times.end())
        return;
    m_actions.erase(Due{found->second, ticket});
    m_times.erase(found);
}

bool SimulatedClock::step()
{
    if (m_actions.empty())
        return false;
    auto node = m_actions.extract(m_actions.begin());
    m_times.erase(node.key().ticket);
    pass(std::max(node.key().at - m_steady, Milliseconds{0}));
    node.mapped()();
    return true;
}

void SimulatedClock::advance(Milliseconds duration)
{
    const SteadyTime end = m_steady + duration;
    while (!m_actions.empty() && m_actions.begin()->first.at <= end)
        step();
    pass(std::max(end - m_steady, Milliseconds{0}));
}

void SimulatedClock::pass(Milliseconds duration)
{
    m_steady += duration;
    suspend(duration);
}

void SimulatedClock::suspend(Milliseconds duration)
{
    m_now += duration;
    m_boot += duration;
}

} // namespace core
