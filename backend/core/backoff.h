#pragma once

#include "backend/core/clock.h"
#include "backend/core/random.h"

namespace core {

// Exponential back-off with full jitter: wait = U(0, min(cap, base * 2^failures)); a wish of the other side
// (Retry-After) is a minimum, never shortened by the cap.
// Source: AWS architecture blog "Exponential Backoff And Jitter"; RFC 9110 section 10.2.3.
class Backoff final
{
public:
    explicit Backoff(Milliseconds base = Milliseconds{800}, Milliseconds cap = Milliseconds{60000});

    // The wait before the next try; counts one more failure.
    [[nodiscard]] Milliseconds next(Random &random, Milliseconds atLeast = Milliseconds{0});
    void reset() { m_failures = 0; }
    [[nodiscard]] int failures() const { return m_failures; }

private:
    Milliseconds m_base;
    Milliseconds m_cap;
    int m_failures = 0;
};

} // namespace core
