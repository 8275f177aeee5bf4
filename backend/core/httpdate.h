#pragma once

#include "backend/core/clock.h"

#include <QByteArray>

#include <optional>

namespace core {

// Dates as HTTP and Service Bus write them (RFC 9110 section 5.6.7): "Fri, 02 Jan 2026 03:04:05 GMT". UTC, whole seconds.
[[nodiscard]] QByteArray toHttpDate(TimePoint time);
// Also accepts "GMT+0000" and "UTC" at the end, as some clients write; nothing for anything else.
[[nodiscard]] std::optional<TimePoint> fromHttpDate(QByteArrayView text);

} // namespace core
