#pragma once

#include "backend/api/requests/queries.h"

namespace store {

class Database;
class QueryTable;

void addLogQueries(QueryTable &table);

[[nodiscard]] core::Result<QList<records::Event>> readEvents(Database &database, const api::EventQuery &query);
// Reads every entry and checks the hash chain up to the first entry that is missing or changed.
[[nodiscard]] core::Result<records::TrailCheck> checkTrail(Database &database, const QByteArray &seal);

} // namespace store
