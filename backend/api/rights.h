#pragma once

#include "backend/core/result.h"
#include "backend/records/connection.h"
#include "backend/records/pipeline.h"

namespace api {

// Refused: the connection or pipeline does not grant all of these rights; the message names it and the first that is missing. Rights
// prevent mistakes; security comes from the broker's own credentials.
[[nodiscard]] core::Result<> checkRights(const records::Connection &connection, records::Rights rights);
[[nodiscard]] core::Result<> checkRights(const records::Pipeline &pipeline, records::Rights rights);

} // namespace api
