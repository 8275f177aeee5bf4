#pragma once

#include "backend/api/snapshot.h"

#include <QHash>

namespace models {

// Messages per second of the newest retry of each connection that sent at least 20 messages; of a running one, its
// current rate.
[[nodiscard]] QHash<core::ConnectionId, double> retryPaces(const api::Snapshot &snapshot);

} // namespace models
