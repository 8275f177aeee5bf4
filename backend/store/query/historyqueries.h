#pragma once

#include "backend/api/history.h"
#include "backend/store/retrystore.h"

namespace store {

class Database;

// One page of operations, newest first, and the sums over all that match. Reads every operation once.
[[nodiscard]] core::Result<api::OperationPage> readHistory(Database &database, RetryStore &retries,
                                                           const api::OperationQuery &query);

} // namespace store
