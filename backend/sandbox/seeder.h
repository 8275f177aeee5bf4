#pragma once

#include "backend/core/random.h"
#include "backend/core/result.h"
#include "backend/localbroker/localbroker.h"
#include "backend/sandbox/scenario.h"

namespace sandbox {

// The queues of the demo shop, as an embedded broker is to have them.
[[nodiscard]] QList<localbroker::QueueSettings> shopQueues();

// Writes the scenario's failed messages into the file of an embedded broker that does not run yet, as if each had failed at
// its time: dead letters by the broker's own rules, the others in the error queue with their failure headers.
[[nodiscard]] core::Result<> seedShop(const QString &dataFile, const Scenario &scenario, core::Random &random);

} // namespace sandbox
