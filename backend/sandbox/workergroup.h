#pragma once

#include "backend/core/async.h"
#include "backend/core/time/timers.h"

#include <functional>

namespace sandbox {

// Coroutines that run until they are stopped: the consumers and senders of a scenario. Each one sleeps with timers() and
// returns when a sleep ends with Cancelled. Used on the thread of its clock. It must not be destroyed before stop() has
// called `done`, unless nothing was started or the clock no longer runs.
class WorkerGroup final
{
public:
    explicit WorkerGroup(core::Clock &clock);

    void start(std::function<core::Task<>()> work);
    // Ends all sleeps, and calls `done` from the event loop of the clock when every coroutine has returned.
    void stop(std::function<void()> done);

    [[nodiscard]] core::Timers &timers() { return m_timers; }
    [[nodiscard]] bool isStopped() const { return m_timers.isCancelled(); }

private:
    [[nodiscard]] core::Task<> follow(std::function<core::Task<>()> work);
    void leave();

    core::Clock &m_clock;
    core::Timers m_timers;
    int m_running = 0;
    std::function<void()> m_done;
};

} // namespace sandbox
