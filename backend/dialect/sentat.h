#pragma once

#include "backend/dialect/dialect.h"

namespace dialect {

// When the message was first sent, as the message says or, if it does not, as its broker says. Nothing if both say
// nothing. The sender may have written any time, so the caller checks whether it is plausible.
[[nodiscard]] std::optional<core::TimePoint> sentAt(const Arrival &arrival, const records::Envelope &sent);

} // namespace dialect
