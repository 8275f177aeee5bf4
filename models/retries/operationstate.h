#pragma once

#include "backend/records/retry.h"
#include "models/common/formatters.h"

namespace models {

// Short enough for its column where a person chose it so; why it does not go is told in full.
[[nodiscard]] QString operationState(const records::RetryOperation &operation, core::TimePoint now, TimeZone zone);

} // namespace models
