#pragma once

#include "backend/api/requests/queries.h"
#include "backend/core/result.h"

namespace store {

class Database;

// Nothing: no policy has this message, or has had it.
[[nodiscard]] core::Result<std::optional<api::PolicyStanding>> readPolicyStanding(Database &database,
                                                                                  core::MessageId message,
                                                                                  core::TimePoint now);
// Adds to the groups which policies hold their newest messages.
[[nodiscard]] core::Result<> addPolicies(Database &database, records::Classifier classifier,
                                         QList<api::GroupRow> &groups);

} // namespace store
