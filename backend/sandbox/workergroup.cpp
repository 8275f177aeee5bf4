#include "backend/sandbox/workergroup.h"

namespace sandbox {

WorkerGroup::WorkerGroup(core::Clock &clock)
    : m_clock(clock)
    , m_timers(clock)
{
}

void WorkerGroup::start(std::function<core::Task<>()> work)
{
    ++m_running;
    static_cast<void>(follow(std::move(work)));
}

core::Task<> WorkerGroup::follow(std::function<core::Task<>()> work)
{
    co_await work();
    leave();
}

void WorkerGroup::stop(std::function<void()> done)
{
    m_done = std::move(done);
    ++m_running; // counts this call too
    m_timers.cancelAll();
    leave();
}

void WorkerGroup::leave()
{
    if (--m_running == 0 && m_done)
        m_clock.after(core::Milliseconds{0}, std::exchange(m_done, nullptr));
}

} // namespace sandbox
