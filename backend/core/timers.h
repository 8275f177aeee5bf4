#pragma once

#include "backend/core/async.h"
#include "backend/core/clock.h"
#include "backend/core/result.h"

#include <map>

namespace core {

// The sleeps of one owner (a connection, an operation). cancelAll ends them all with Cancelled, so that nothing that
// waits is ever dropped; the destructor does the same.
class Timers final
{
public:
    explicit Timers(Clock &clock);
    ~Timers();
    Timers(const Timers &) = delete;
    Timers &operator=(const Timers &) = delete;

    // Ends with a value after `delay`, or with Cancelled. After cancelAll every sleep ends at once with Cancelled.
    [[nodiscard]] Pending<Result<>> sleep(Milliseconds delay);

    // Like sleep, but wake() ends it early, with a value. A wake with nobody asleep is remembered for the next one.
    [[nodiscard]] Pending<Result<>> sleepOrWake(Milliseconds delay);
    void wake();

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
