#pragma once

#include "backend/api/client.h"
#include "backend/report/operationreport.h"

namespace report {

// Asks what a report needs, all at once, on the thread of the client. NotFound: there is no such operation.
[[nodiscard]] api::Answer<OperationReport> gather(api::EngineClient &client, core::OperationId operation);

} // namespace report
