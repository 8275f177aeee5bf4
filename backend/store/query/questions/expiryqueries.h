#pragma once

#include "backend/api/requests/queries.h"

namespace store {

class Database;
class QueryTable;

void addExpiryQueries(QueryTable &table);

// Adds to `group` when its first message expires and how many expire soon.
[[nodiscard]] core::Result<> addLoss(Database &database, records::Classifier classifier, core::TimePoint now,
                                     api::GroupRow &group);

} // namespace store
