#pragma once

#include "backend/records/retries/retry.h"
#include "models/common/formatters.h"

namespace models {

// The state of an operation for a table cell, with the full reason why it waits or paused.
[[nodiscard]] QString operationState(const records::RetryOperation &operation, core::TimePoint now, TimeZone zone);

} // namespace models
