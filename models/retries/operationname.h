#pragma once

#include "backend/records/retries/retry.h"

namespace models {

// A short name for an operation, on one line: first the part that differs between operations, last the part that they
// share. Control characters become visible. The whole sentence is the scope of the operation.
[[nodiscard]] QString operationName(const records::RetryOperation &operation);

// The whole scope, and how the messages were edited.
[[nodiscard]] QString operationTip(const records::RetryOperation &operation);

} // namespace models
