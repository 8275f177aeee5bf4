#pragma once

#include "backend/api/queries.h"
#include "backend/core/result.h"

namespace store {

class Database;

// Uses the kept counts. Groups without a message of the status are left out. `now`: where the sparkline ends.
[[nodiscard]] core::Result<api::GroupPage> readGroups(Database &database, const api::GroupQuery &query,
                                                      core::TimePoint now);

} // namespace store
