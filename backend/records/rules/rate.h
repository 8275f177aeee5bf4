#pragma once

#include <QtGlobal>

namespace records {

// The highest rate of a plan, in messages per minute: one million per second.
inline constexpr qint64 mostPerMinute = 60'000'000;

} // namespace records
