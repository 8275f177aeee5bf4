#pragma once

#include "backend/core/time/clock.h"

#include <map>

namespace core {

// A clock for simulations: time moves only when its owner says so. Actions run in the order of their times, then of
// their tickets, inside the call that moves the time. Not thread-safe.
class SimulatedClock : public Clock
{
public:
    explicit SimulatedClock(TimePoint start);

    [[nodiscard]] TimePoint now() const override { return m_now; }
    [[nodiscard]] SteadyTime steady() const override { return m_steady; }
    [[nodiscard]] BootTime boot() const override { return m_boot; }
    Ticket after(Milliseconds delay, std::function<void()> action) override;
    void cancel(Ticket ticket) override;

    // Runs the next due action, moving the time to it. False when nothing waits.
    bool step();
    // Runs everything that becomes due within `duration`, then stands at its end.
    void advance(Milliseconds duration);
    // Time passes and nothing runs: the thread is busy.
    void pass(Milliseconds duration);
    // The wall clock is set, in either direction. Nothing else moves.
    void jump(Milliseconds duration) { m_now += duration; }
    // The machine sleeps: steady time stands still.
    void suspend(Milliseconds duration);
    [[nodiscard]] size_t waiting() const { return m_actions.size(); }

private:
    struct Due
    {
        SteadyTime at;
        Ticket ticket;
        friend auto operator<=>(const Due &, const Due &) = default;
    };
    // None of them can be taken for another by its value.
    TimePoint m_now;
    SteadyTime m_steady{std::chrono::hours{5}};
    BootTime m_boot{std::chrono::hours{7}};
    Ticket m_last = 0;
    std::map<Due, std::function<void()>> m_actions;
    std::map<Ticket, SteadyTime> m_times; // so that cancel() need not search
};

} // namespace core
