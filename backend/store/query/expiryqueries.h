#pragma once

#include "backend/api/expiry.h"
#include "backend/api/queries.h"
#include "backend/core/result.h"

namespace store {

class Database;

// What brokers throw away, on a read-only connection inside one read transaction.
[[nodiscard]] core::Result<api::ExpiryPage> readExpiring(Database &database, const api::ExpiryQuery &query);
// When the first of the group's messages is lost, and how many are soon.
[[nodiscard]] core::Result<> addLoss(Database &database, records::Classifier classifier, core::TimePoint now,
                                     api::GroupRow &group);

} // namespace store
