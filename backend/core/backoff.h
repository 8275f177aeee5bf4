#pragma once

#include "backend/core/clock.h"
#include "backend/core/random.h"

namespace core {

// Exponential back-off with full jitter: each wait is a random time between 0 and min(cap, base * 2^failures). A
// minimum that the other side asks for (Retry-After) applies even if it is longer than the cap. Not thread-safe.
// Source: AWS architecture blog "Exponential Backoff And Jitter"; RFC 9110 section 10.2.3.
class Backoff final
{
public:
    explicit Backoff(Milliseconds base = Milliseconds{800}, Milliseconds cap = Milliseconds{60000});

    // Counts one more failure and returns the wait before the next try, at least `atLeast`.
    [[nodiscard]] Milliseconds next(Random &random, Milliseconds atLeast = Milliseconds{0});
    // Call it after a success: the waits start small again.
    void reset() { m_failures = 0; }
    [[nodiscard]] int failures() const { return m_failures; } // since the last reset

private:
    Milliseconds m_base;
    Milliseconds m_cap;
    int m_failures = 0;
};

} // namespace core
