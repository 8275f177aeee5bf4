// What cloud services put into dead-letter queues: events and calls that failed, and messages without any word of why.
#pragma once

#include "backend/dialect/table.h"

namespace dialect {

[[nodiscard]] Dialect eventBridge();
[[nodiscard]] Dialect eventBridgeScheduler();
[[nodiscard]] Dialect lambdaQueue();
[[nodiscard]] Dialect lambdaDestination();
[[nodiscard]] Dialect sqs();
[[nodiscard]] Dialect sns();
[[nodiscard]] Dialect functions();
[[nodiscard]] Dialect dapr();

} // namespace dialect
