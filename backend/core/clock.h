// The only way to the time. Everything that waits does so through a Clock, so that a test can run a day in a millisecond
// and a seed decides what happens first. One thread: the one that owns the Clock.
// Three readings that cannot be mixed. A duration is the difference of two SteadyTimes; of two BootTimes where it passes
// elsewhere while this machine sleeps, as a lock at a broker does. Wall-clock time may be set at any moment: it is for what
// is shown, stored over restarts, or agreed with others.
#pragma once

#include <QtGlobal>

#include <chrono>
#include <functional>

namespace core {

using Milliseconds = std::chrono::milliseconds;
using TimePoint = std::chrono::sys_time<Milliseconds>; // wall clock, UTC
using SteadyTime =
    std::chrono::time_point<std::chrono::steady_clock, Milliseconds>; // stands still while the machine sleeps

struct BootClock // names the type of its time points
{
    using duration = Milliseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<BootClock, duration>;
    static constexpr bool is_steady = true;
};
using BootTime = BootClock::time_point; // goes on while the machine sleeps

class Clock
{
public:
    using Ticket = quint64; // 0 is never given out

    Clock() = default;
    Clock(const Clock &) = delete;
    Clock &operator=(const Clock &) = delete;
    virtual ~Clock() = default;

    [[nodiscard]] virtual TimePoint now() const = 0;
    [[nodiscard]] virtual SteadyTime steady() const = 0;
    [[nodiscard]] virtual BootTime boot() const = 0;

    // Calls action once, after delay of steady time, from the owner's event loop, never from inside this call.
    virtual Ticket after(Milliseconds delay, std::function<void()> action) = 0;

    // Afterwards the action is not called any more. Unknown tickets are ignored.
    virtual void cancel(Ticket ticket) = 0;
};

[[nodiscard]] constexpr qint64 toMs(TimePoint time)
{
    return time.time_since_epoch().count();
}

[[nodiscard]] constexpr TimePoint fromMs(qint64 msSinceEpoch)
{
    return TimePoint{Milliseconds{msSinceEpoch}};
}

} // namespace core
