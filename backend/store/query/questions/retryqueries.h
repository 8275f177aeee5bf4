#pragma once

#include "backend/api/requests/queries.h"

namespace store {

class Database;
class QueryTable;

void addRetryQueries(QueryTable &table);

// The history of a message, oldest first: failures from its attempts, retries from its memberships in sets, and
// decisions.
[[nodiscard]] core::Result<QList<records::TrailEntry>> readTrail(Database &database, const api::MessageDetail &detail);
[[nodiscard]] core::Result<> addNewestOperations(Database &database, QList<api::GroupRow> &groups);

} // namespace store
