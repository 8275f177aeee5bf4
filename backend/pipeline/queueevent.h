#pragma once

#include "backend/core/result.h"
#include "backend/pipeline/columns.h"
#include "backend/records/messages/headers.h"
#include "backend/records/pipeline.h"

namespace pipeline {

// Checks a report id or a receiver, as the database has it. Rejected: it would make another event, because it is not what
// Redrive shows (too long, or with characters that are replaced), or, as text, because it contains "&".
[[nodiscard]] core::Result<> checkEventName(const QString &name, Columns::Events form);

// The message that makes a step take up a task. Source: ReportStream, Event.kt and PrimeRouterQueueMessage.kt, and
// QueueAccess.kt, which writes it in base64, as queue triggers of Azure Functions read it. Since 2023-12-21:
//   {"type": "process", "eventAction": "PROCESS", "reportId": ID, "options": "None", "defaults": {}, "routeTo": [], "at": ""}
//   {"type": "batch", "eventAction": "BATCH", "receiverName": NAME, "emptyBatch": false, "at": ""}
//   {"type": "report", "eventAction": "SEND", "reportId": ID, "emptyBatch": false, "at": ""}
// Before, as text; ReportStream reads it no more since 2024-01-04:
//   process&PROCESS&REPORT-ID&None&&&      options, defaults and routes of the first event are not in TASK: the usual ones
//   receiver&BATCH&RECEIVER&false          for all waiting tasks of the receiver
//   report&SEND&REPORT-ID&false
// Receive has no event. The names in it must have passed checkEventName(). Pure: any thread.
[[nodiscard]] QByteArray eventBody(const records::PipelineTask &task, records::PipelineStep step, Columns::Events form);
[[nodiscard]] records::Envelope eventMessage(const records::PipelineTask &task, records::PipelineStep step,
                                             Columns::Events form);

} // namespace pipeline
