#pragma once

#include "backend/core/time/clock.h"

namespace records {

// No message of today failed before 2000. Such a time is a number in another unit, or a date that was never set.
[[nodiscard]] constexpr bool mayHaveFailedAt(core::TimePoint at)
{
    constexpr qint64 beginOf2000 = 946'684'800'000;
    return core::toMs(at) >= beginOf2000;
}

} // namespace records
