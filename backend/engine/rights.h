#pragma once

#include "backend/core/result.h"
#include "backend/records/connection.h"

namespace engine {

// Refused: the connection does not grant all of these rights; the message names it and the first that is missing. Rights
// prevent mistakes; security comes from the broker's own credentials.
[[nodiscard]] core::Result<> checkRights(const records::Connection &connection, records::Rights rights);

} // namespace engine
