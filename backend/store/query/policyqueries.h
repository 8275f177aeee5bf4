#pragma once

#include "backend/api/policyview.h"
#include "backend/core/result.h"

namespace store {

class Database;

// Nothing: no policy has this message, or has had it.
[[nodiscard]] core::Result<std::optional<api::PolicyStanding>> readPolicyStanding(Database &database,
                                                                                  core::MessageId message,
                                                                                  core::TimePoint now);

} // namespace store
