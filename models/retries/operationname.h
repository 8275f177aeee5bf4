#pragma once

#include "backend/records/retry.h"

namespace models {

// One line that tells operations apart where room is short: what is chosen first, what all of them share last. Control
// characters are made visible. The whole sentence is the operation's scope.
[[nodiscard]] QString operationName(const records::RetryOperation &operation);

// The whole of it, and what it changed in its messages.
[[nodiscard]] QString operationTip(const records::RetryOperation &operation);

} // namespace models
