#pragma once

#include "backend/dialect/dialect.h"

namespace dialect {

// When the message was sent first, as it says itself or, where it does not, as its broker does. Nothing: neither does. Who sent
// it may have meant anything; whoever uses it looks whether it can be true.
[[nodiscard]] std::optional<core::TimePoint> sentAt(const Arrival &arrival, const records::Envelope &sent);

} // namespace dialect
