// The dialects of cloud services: failed events and calls that they put into dead-letter queues, and messages that do
// not say why they failed.
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
