// NServiceBus v6 to v10. Sources: NServiceBus.Core Faults/FaultsHeaderKeys.cs, DateTimeOffsetHelper.cs, MoveToError.cs;
// ServiceControl HeaderFilter.cs (what to strip), RetryAcknowledgementBehavior.cs (confirmations).
#pragma once

#include "backend/dialect/table.h"

#include <optional>

namespace dialect {

[[nodiscard]] Dialect nServiceBus();

// Reads "yyyy-MM-dd HH:mm:ss:ffffff Z": 28 characters, a colon before the microseconds, always UTC. Nothing for other
// forms.
[[nodiscard]] std::optional<core::TimePoint> nServiceBusTime(QStringView text);

// The first type in a list of assembly-qualified names, which is separated by ';'. Without its assembly.
[[nodiscard]] QString firstEnclosedType(const QString &enclosedTypes);

} // namespace dialect
