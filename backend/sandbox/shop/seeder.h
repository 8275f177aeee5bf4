#pragma once

#include "backend/core/random.h"
#include "backend/core/result.h"
#include "backend/localbroker/localbroker.h"
#include "backend/sandbox/shop/scenario.h"

namespace sandbox {

// The settings of the queues of the demo shop, for an embedded broker.
[[nodiscard]] QList<localbroker::QueueSettings> shopQueues();

// Writes the failed messages of the scenario into the file of an embedded broker, each with its time of failure. The
// broker must not run yet. Dead letters are made by the rules of the broker; other messages go to the error queue with
// failure headers. For errors of the file see localbroker::Journal.
[[nodiscard]] core::Result<> seedShop(const QString &dataFile, const Scenario &scenario, core::Random &random);

} // namespace sandbox
