#pragma once

#include "backend/core/result.h"
#include "backend/records/connection.h"

namespace engine {

// Refused: the connection does not have this right; the message names both. Rights prevent mistakes; security comes
// from the broker's own credentials.
[[nodiscard]] core::Result<> checkRight(const records::Connection &connection, records::Right right);

} // namespace engine
