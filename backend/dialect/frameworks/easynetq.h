// EasyNetQ 7 and 8: the failed message is wrapped into one of its own. Source: EasyNetQ SystemMessages/Error.cs,
// Consumer/DefaultConsumeErrorStrategy.cs, Serialization/JsonHeaderExtensions.cs; Hosepipe/ErrorRetry.cs.
#pragma once

#include "backend/dialect/table.h"

namespace dialect {

[[nodiscard]] Dialect easyNetQ();

} // namespace dialect
