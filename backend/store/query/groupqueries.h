#pragma once

#include "backend/api/queries.h"
#include "backend/core/result.h"

namespace store {

class Database;

// From kept counts. Groups without a message of that status are not in it. `now` is where the sparkline ends.
[[nodiscard]] core::Result<api::GroupPage> readGroups(Database &database, const api::GroupQuery &query,
                                                      core::TimePoint now);

} // namespace store
