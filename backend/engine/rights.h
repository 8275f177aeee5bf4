#pragma once

#include "backend/core/result.h"
#include "backend/records/connection.h"

namespace engine {

// Rights guard against mistakes; the broker's own credentials are the security. Refused names the missing right and the
// connection.
[[nodiscard]] core::Result<> checkRight(const records::Connection &connection, records::Right right);

} // namespace engine
