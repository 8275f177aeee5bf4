#include "tests/support/fakeclock.h"

namespace support {

FakeClock::FakeClock(core::TimePoint start)
    : SimulatedClock(start)
{
}

} // namespace support
