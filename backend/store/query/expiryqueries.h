#pragma once

#include "backend/api/expiry.h"
#include "backend/api/queries.h"
#include "backend/core/result.h"

namespace store {

class Database;

// Messages that expire on their brokers. For a read-only connection, inside one read transaction.
[[nodiscard]] core::Result<api::ExpiryPage> readExpiring(Database &database, const api::ExpiryQuery &query);
// Adds to `group` when its first message expires and how many expire soon.
[[nodiscard]] core::Result<> addLoss(Database &database, records::Classifier classifier, core::TimePoint now,
                                     api::GroupRow &group);

} // namespace store
