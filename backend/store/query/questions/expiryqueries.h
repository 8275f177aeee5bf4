#pragma once

#include "backend/api/requests/queries.h"

namespace store {

class Database;
class QueryTable;

void addExpiryQueries(QueryTable &table);

// Adds to the groups when their first message expires and how many expire soon.
[[nodiscard]] core::Result<> addLosses(Database &database, records::Classifier classifier, core::TimePoint now,
                                       QList<api::GroupRow> &groups);

} // namespace store
