#include "tests/support/fakeclock.h"

namespace support {

FakeClock::FakeClock(core::TimePoint start)
    : m_now(start)
{
}

core::Clock::Ticket FakeClock::after(core::Milliseconds delay, std::function<void()> action)
{
    const Ticket ticket = ++m_last;
    m_actions.emplace(Due{m_steady + std::max(delay, core::Milliseconds{0}), ticket}, std::move(action));
    return ticket;
}

void FakeClock::cancel(Ticket ticket)
{
    std::erase_if(m_actions, [ticket](const auto &entry) { return entry.first.ticket == ticket; });
}

bool FakeClock::step()
{
    if (m_actions.empty())
        return false;
    auto node = m_actions.extract(m_actions.begin());
    pass(std::max(node.key().at - m_steady, core::Milliseconds{0}));
    node.mapped()();
    return true;
}

void FakeClock::advance(core::Milliseconds duration)
{
    const core::SteadyTime end = m_steady + duration;
    while (!m_actions.empty() && m_actions.begin()->first.at <= end)
        step();
    pass(std::max(end - m_steady, core::Milliseconds{0}));
}

void FakeClock::pass(core::Milliseconds duration)
{
    m_steady += duration;
    suspend(duration);
}

void FakeClock::suspend(core::Milliseconds duration)
{
    m_now += duration;
    m_boot += duration;
}

} // namespace support
