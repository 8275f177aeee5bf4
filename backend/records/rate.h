#pragma once

#include <QtGlobal>

namespace records {

// The highest rate that a plan may have: a million messages a second.
inline constexpr qint64 mostPerMinute = 60'000'000;

} // namespace records
