// The only way to the time. Everything that waits does so through a Clock, so that a test can run a day in a millisecond
// and a seed decides what happens first. One thread: the one that owns the Clock.
#pragma once

#include <QtGlobal>

#include <chrono>
#include <functional>

namespace core {

using Milliseconds = std::chrono::milliseconds;
using TimePoint = std::chrono::sys_time<Milliseconds>; // UTC

class Clock
{
public:
    using Ticket = quint64; // 0 is never given out

    Clock() = default;
    Clock(const Clock &) = delete;
    Clock &operator=(const Clock &) = delete;
    virtual ~Clock() = default;

    [[nodiscard]] virtual TimePoint now() const = 0;

    // Calls action once, after delay, from the owner's event loop, never from inside this call.
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
