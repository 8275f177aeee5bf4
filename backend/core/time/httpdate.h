#pragma once

#include "backend/core/time/clock.h"

#include <QByteArray>

#include <optional>

namespace core {

// The form of dates in HTTP (RFC 9110 section 5.6.7) and Service Bus: "Fri, 02 Jan 2026 03:04:05 GMT". UTC, whole
// seconds.
[[nodiscard]] QByteArray toHttpDate(TimePoint time);
// Reads that form, also with "GMT+0000" or "UTC" at the end, as some clients write it. Nothing for any other text.
[[nodiscard]] std::optional<TimePoint> fromHttpDate(QByteArrayView text);

} // namespace core
