#pragma once

#include "backend/core/clock.h"

#include <QString>
#include <QStringView>

#include <optional>

namespace core {

// "45 s", "4 min 30 s", "1 h", "90 d": the two biggest parts, for people. Command lines read the same without spaces.
[[nodiscard]] QString durationText(Milliseconds span);
// "90s", "15m", "24h", "30d", whole numbers; nothing: it is none, or longer than 100 years.
[[nodiscard]] std::optional<Milliseconds> durationFrom(QStringView text);

} // namespace core
