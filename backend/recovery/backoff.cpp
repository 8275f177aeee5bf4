#include "backend/recovery/backoff.h"

#include "backend/recovery/schedule.h"

#include <algorithm>

namespace recovery {

Backoff::Backoff(core::Milliseconds base, core::Milliseconds cap)
{
    m_schedule.kind = Schedule::Kind::Exponential;
    m_schedule.first = base;
    m_schedule.cap = cap;
}

core::Milliseconds Backoff::next(core::Random &random, core::Milliseconds atLeast)
{
    const core::Milliseconds longest = delayOf(m_schedule, m_failures, {});
    ++m_failures;
    return std::max(atLeast, withJitter(longest, {.kind = Jitter::Kind::Full}, random));
}

} // namespace recovery
