// How the window writes numbers, sizes, times and durations. Pure functions.
#pragma once

#include "backend/core/time/clock.h"

#include <QString>

#include <optional>

namespace models {

enum class TimeZone { Utc, Local };

[[nodiscard]] QString formatNumber(qint64 value); // with the group separators of the user's locale
// Reads a count that a person typed, with or without the group separators of the locale; nothing when it is not a
// number.
[[nodiscard]] std::optional<qint64> typedNumber(const QString &text);
[[nodiscard]] QString formatRate(double perSecond); // "812/s", "0.4/s"
[[nodiscard]] QString formatSize(qint64 bytes); // "2.1 KB"
[[nodiscard]] QString formatDuration(core::Milliseconds duration); // "1 s", "4 min", "3 h 20 min", "2 d"

// The shortest absolute form for a list: "02:11:07" on the day of `now`, "19 Nov 02:11" in its year, else the date.
[[nodiscard]] QString formatListTime(core::TimePoint time, core::TimePoint now, TimeZone zone);
// A future time for a narrow column: "08:00" within a day, "24 Nov" in the year of `now`, else the date.
[[nodiscard]] QString formatUntil(core::TimePoint time, core::TimePoint now, TimeZone zone);
// "2026-11-21 03:02:10.418 UTC"
[[nodiscard]] QString formatFullTime(core::TimePoint time, TimeZone zone);
[[nodiscard]] QString formatClock(core::TimePoint time, TimeZone zone); // "03:02:11 UTC"
[[nodiscard]] QString formatRelative(core::TimePoint time, core::TimePoint now); // "4 min ago", "in 20 s"
[[nodiscard]] QString timeTip(core::TimePoint time, core::TimePoint now, TimeZone zone); // full and relative

} // namespace models
