#pragma once

#include "backend/api/queries.h"
#include "backend/store/retrystore.h"

namespace store {

class Database;

// Reads every member of the operation once: 0.1 s for 100,000. `now`: the end of an operation that still runs.
// NotFound: no such operation.
[[nodiscard]] core::Result<api::OperationDetail> readOperationDetail(Database &database, RetryStore &retries,
                                                                     core::OperationId id, core::TimePoint now);

} // namespace store
