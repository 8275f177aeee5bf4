#pragma once

#include "backend/api/client.h"
#include "backend/report/operationreport.h"

namespace report {

// Reads everything that the report of one operation needs, with four requests at the same time. Call it on the thread
// of the client. `made` stays empty: the caller sets it. Errors: NotFound when the operation does not exist, Cancelled
// when a request was dropped, or the error of the request.
[[nodiscard]] api::Answer<OperationReport> gather(api::EngineClient &client, core::OperationId operation);

} // namespace report
