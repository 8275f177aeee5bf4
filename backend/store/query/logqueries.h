#pragma once

#include "backend/api/queries.h"
#include "backend/core/result.h"
#include "backend/records/trail.h"

namespace store {

class Database;

[[nodiscard]] core::Result<QList<records::Event>> readEvents(Database &database, const api::EventQuery &query);
// Reads every entry and checks the hash chain up to the first entry that is missing or changed.
[[nodiscard]] core::Result<records::TrailCheck> checkTrail(Database &database, const QByteArray &seal);
// Oldest first; seconds, and minutes where seconds were merged. A minute is at its start, with its sums.
[[nodiscard]] core::Result<QList<api::RunSample>> readSeries(Database &database, const api::SeriesQuery &query);
[[nodiscard]] core::Result<QList<api::RunMark>> readMarks(Database &database, core::OperationId id);

} // namespace store
