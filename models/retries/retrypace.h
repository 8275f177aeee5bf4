#pragma once

#include "backend/api/snapshot.h"

#include <QHash>

namespace models {

// Messages per second of the newest retry of each connection that has sent enough to tell; a running one as it goes now.
[[nodiscard]] QHash<core::ConnectionId, double> retryPaces(const api::Snapshot &snapshot);

} // namespace models
