#pragma once

#include "backend/api/queries.h"
#include "backend/core/result.h"

namespace store {

class Database;

[[nodiscard]] core::Result<QList<records::Event>> readEvents(Database &database, const api::EventQuery &query);
// Oldest first; seconds, and minutes where seconds were rolled up. A minute stands at its start, with its sums.
[[nodiscard]] core::Result<QList<api::RunSample>> readSeries(Database &database, const api::SeriesQuery &query);

} // namespace store
