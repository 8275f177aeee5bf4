#pragma once

#include "backend/core/clock.h"

#include <map>

namespace support {

// Time moves only when the test says so, each of the three clocks of its own. Actions run in order of time, then of ticket.
class FakeClock final : public core::Clock
{
public:
    explicit FakeClock(core::TimePoint start = core::fromMs(1767323045000)); // 2026-01-02 03:04:05 UTC

    [[nodiscard]] core::TimePoint now() const override { return m_now; }
    [[nodiscard]] core::SteadyTime steady() const override { return m_steady; }
    [[nodiscard]] core::BootTime boot() const override { return m_boot; }
    Ticket after(core::Milliseconds delay, std::function<void()> action) override;
    void cancel(Ticket ticket) override;

    // Runs the next due action, moving the time to it. False when nothing waits.
    bool step();
    // Runs everything that becomes due within `duration`, then stands at its end.
    void advance(core::Milliseconds duration);
    // Time passes and nothing runs: the thread is busy.
    void pass(core::Milliseconds duration);
    // The wall clock is set, in either direction. Nothing else moves.
    void jump(core::Milliseconds duration) { m_now += duration; }
    // The machine sleeps: steady time stands still.
    void suspend(core::Milliseconds duration);
    [[nodiscard]] size_t waiting() const { return m_actions.size(); }

private:
    struct Due
    {
        core::SteadyTime at;
        Ticket ticket;
        friend auto operator<=>(const Due &, const Due &) = default;
    };
    // None of them can be taken for another by its value.
    core::TimePoint m_now;
    core::SteadyTime m_steady{std::chrono::hours{5}};
    core::BootTime m_boot{std::chrono::hours{7}};
    Ticket m_last = 0;
    std::map<Due, std::function<void()>> m_actions;
};

} // namespace support
