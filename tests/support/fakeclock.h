#pragma once

#include "backend/core/time/simulatedclock.h"

namespace support {

// The clock of a test: 2026-01-02 03:04:05 UTC, unless the test says otherwise.
class FakeClock final : public core::SimulatedClock
{
public:
    explicit FakeClock(core::TimePoint start = core::fromMs(1767323045000));
};

} // namespace support
