#pragma once

#include "backend/core/async.h"
#include "backend/core/result.h"
#include "backend/core/time/clock.h"

#include <map>

namespace core {

// All sleeps of one owner, such as a connection or an operation. cancelAll() and the destructor end them with
// Cancelled, so that no waiting coroutine is lost. Used on the thread of its Clock, which must outlive it.
class Timers final
{
public:
    explicit Timers(Clock &clock);
    ~Timers();
    Timers(const Timers &) = delete;
    Timers &operator=(const Timers &) = delete;

    // Ends with a value after `delay` of steady time, or with Cancelled. After cancelAll() it ends at once with
    // Cancelled.
    [[nodiscard]] Pending<Result<>> sleep(Milliseconds delay);

    // Like sleep(), but wake() ends it early, with a value.
    [[nodiscard]] Pending<Result<>> sleepOrWake(Milliseconds delay);
    // Ends the oldest sleepOrWake(). If there is none, the next one ends without a delay.
    void wake();

    // Ends all sleeps, and every later one, with Cancelled.
    void cancelAll();
    [[nodiscard]] bool isCancelled() const { return m_cancelled; }

private:
    Pending<Result<>> start(Milliseconds delay, bool wakeable);

    struct Sleeper
    {
        Pending<Result<>> pending;
        bool wakeable = false;
    };
    Clock &m_clock;
    std::map<Clock::Ticket, Sleeper> m_sleepers;
    bool m_woken = false;
    bool m_cancelled = false;
};

} // namespace core
