// The only source of time in the program. Code that waits does so through a Clock, so that a test runs a day in a
// millisecond and a seed decides what happens first. A Clock is used on the thread that owns it.
//
// There are three kinds of time, with types that cannot be mixed:
//  - TimePoint is wall-clock time, which can be set to another value at any moment. Use it for what is shown, what is
//    stored across restarts and what is agreed with others.
//  - SteadyTime measures durations on this machine. It stands still while the machine sleeps.
//  - BootTime measures durations that also pass elsewhere, such as a lock at a broker. It runs while this machine
//    sleeps.
#pragma once

#include <QtGlobal>

#include <chrono>
#include <functional>

namespace core {

using Milliseconds = std::chrono::milliseconds;
using TimePoint = std::chrono::sys_time<Milliseconds>; // wall clock, UTC
using SteadyTime = std::chrono::time_point<std::chrono::steady_clock, Milliseconds>;

struct BootClock // exists only to give BootTime a type of its own
{
    using duration = Milliseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<BootClock, duration>;
    static constexpr bool is_steady = true;
};
using BootTime = BootClock::time_point;

class Clock
{
public:
    using Ticket = quint64; // never 0

    Clock() = default;
    Clock(const Clock &) = delete;
    Clock &operator=(const Clock &) = delete;
    virtual ~Clock() = default;

    [[nodiscard]] virtual TimePoint now() const = 0;
    [[nodiscard]] virtual SteadyTime steady() const = 0;
    [[nodiscard]] virtual BootTime boot() const = 0;

    // Calls `action` once, after `delay` of steady time, from the event loop of the owner's thread and never from
    // inside this call. The ticket is for cancel().
    virtual Ticket after(Milliseconds delay, std::function<void()> action) = 0;

    // After this call the action of the ticket is not called. Ignores tickets that are unknown or already used.
    virtual void cancel(Ticket ticket) = 0;
};

// Milliseconds since 1970-01-01 00:00 UTC.
[[nodiscard]] constexpr qint64 toMs(TimePoint time)
{
    return time.time_since_epoch().count();
}

[[nodiscard]] constexpr TimePoint fromMs(qint64 msSinceEpoch)
{
    return TimePoint{Milliseconds{msSinceEpoch}};
}

} // namespace core
