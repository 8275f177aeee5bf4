// Rebus 8. Source: Rebus Retry/PoisonQueues/DeadletterQueueErrorHandler.cs. All it says of a failure is one text.
#pragma once

#include "backend/dialect/table.h"

namespace dialect {

[[nodiscard]] Dialect rebus();

} // namespace dialect
