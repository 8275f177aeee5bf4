#pragma once

#include "backend/api/requests/queries.h"
#include "backend/core/result.h"

namespace store {

class Database;

// Nothing: no policy has this message, or has had it.
[[nodiscard]] core::Result<std::optional<api::PolicyStanding>> readPolicyStanding(Database &database,
                                                                                  core::MessageId message,
                                                                                  core::TimePoint now);
// Adds which policies hold the newest messages of the group.
[[nodiscard]] core::Result<> addPolicies(Database &database, records::Classifier classifier, api::GroupRow &group);

} // namespace store
