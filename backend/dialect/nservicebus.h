// NServiceBus v6 to v10. Sources: NServiceBus.Core Faults/FaultsHeaderKeys.cs, DateTimeOffsetHelper.cs, MoveToError.cs;
// ServiceControl HeaderFilter.cs (what to strip), RetryAcknowledgementBehavior.cs (confirmations).
#pragma once

#include "backend/dialect/table.h"

#include <optional>

namespace dialect {

[[nodiscard]] Dialect nServiceBus();

// "yyyy-MM-dd HH:mm:ss:ffffff Z", exactly 28 characters: a colon before the microseconds, always UTC. Nothing else.
[[nodiscard]] std::optional<core::TimePoint> nServiceBusTime(QStringView text);

// The first type of a ';'-list of assembly-qualified names, without its assembly.
[[nodiscard]] QString firstEnclosedType(const QString &enclosedTypes);

} // namespace dialect
