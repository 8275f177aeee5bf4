// Values from a database whose content others control. Pure: any thread.
#pragma once

#include "backend/core/result.h"
#include "backend/core/time/clock.h"

#include <QString>
#include <QVariant>

#include <optional>

namespace pipeline {

// One line of at most `longest` characters. What ends a line, moves a cursor or turns text around becomes U+FFFD.
[[nodiscard]] QString cleanText(const QString &text, int longest);
[[nodiscard]] QString cellText(const QVariant &value); // at most records::pipelineCellChars
// Nothing: this is not a time. A text must be an ISO 8601 date and time; without an offset it is UTC.
[[nodiscard]] std::optional<core::TimePoint> cellTime(const QVariant &value);

} // namespace pipeline
