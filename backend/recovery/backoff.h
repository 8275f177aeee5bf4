#pragma once

#include "backend/core/random.h"
#include "backend/recovery/policy.h"

namespace recovery {

// The waits of a loop that tries until it succeeds: exponential with full jitter, so each is a random time between 0 and
// min(cap, base * 2^failures). A minimum that the other side asks for (Retry-After) applies in full, even if it is longer
// than the cap. A call that gives up some time asks decide() instead. Not thread-safe.
// Sources: Azure Service Bus for 0.8 s; AWS architecture blog "Exponential Backoff And Jitter"; RFC 9110 section
// 10.2.3.
class Backoff final
{
public:
    explicit Backoff(core::Milliseconds base = core::Milliseconds{800},
                     core::Milliseconds cap = std::chrono::minutes(1));

    // Counts one more failure and returns the wait before the next try, at least `atLeast`.
    [[nodiscard]] core::Milliseconds next(core::Random &random, core::Milliseconds atLeast = core::Milliseconds{0});
    // Call it after a success: the waits start small again.
    void reset() { m_failures = 0; }

private:
    Schedule m_schedule;
    int m_failures = 0; // since the last reset
};

} // namespace recovery
