#pragma once

#include "backend/core/clock.h"

#include <map>

namespace support {

// Time moves only when the test says so. Actions run in order of time, then of ticket.
class FakeClock final : public core::Clock
{
public:
    explicit FakeClock(core::TimePoint start = core::fromMs(1767323045000)); // 2026-01-02 03:04:05 UTC

    [[nodiscard]] core::TimePoint now() const override { return m_now; }
    Ticket after(core::Milliseconds delay, std::function<void()> action) override;
    void cancel(Ticket ticket) override;

    // Runs the next due action, moving the time to it. False when nothing waits.
    bool step();
    // Runs everything that becomes due within `duration`, then stands at its end.
    void advance(core::Milliseconds duration);
    // Moves the wall without running anything: a suspended machine.
    void jump(core::Milliseconds duration) { m_now += duration; }
    [[nodiscard]] size_t waiting() const { return m_actions.size(); }

private:
    struct Due
    {
        core::TimePoint at;
        Ticket ticket;
        friend auto operator<=>(const Due &, const Due &) = default;
    };
    core::TimePoint m_now;
    Ticket m_last = 0;
    std::map<Due, std::function<void()>> m_actions;
};

} // namespace support
