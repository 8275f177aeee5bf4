#pragma once

#include "backend/core/time/clock.h"

#include <QString>
#include <QStringView>

#include <optional>

namespace core {

// For people: "45 s", "4 min 30 s", "1 h", "90 d". The largest unit, and the next smaller one if it is not zero. A
// negative span counts as 0.
[[nodiscard]] QString durationText(Milliseconds span);
// The duration that a person types on a command line: one whole number with one unit, "90s", "15m", "24h" or "30d".
// Nothing if the text has another form or means more than 100 years.
[[nodiscard]] std::optional<Milliseconds> durationFrom(QStringView text);
// The text that durationFrom() reads as this span of whole seconds, with the largest unit that fits, but "24h" for a
// day: "90s", "1h", "2d". A negative span counts as 0.
[[nodiscard]] QString durationWord(Milliseconds span);

} // namespace core
