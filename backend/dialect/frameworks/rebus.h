// Rebus 8. Source: Rebus Retry/PoisonQueues/DeadletterQueueErrorHandler.cs. It writes one text about the failure.
#pragma once

#include "backend/dialect/table.h"

namespace dialect {

[[nodiscard]] Dialect rebus();

} // namespace dialect
