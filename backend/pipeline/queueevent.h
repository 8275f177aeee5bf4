#pragma once

#include "backend/core/result.h"
#include "backend/records/messages/headers.h"
#include "backend/records/pipeline.h"

namespace pipeline {

// Checks a report id or a receiver, as the database has it. Rejected: it would make another event, because it contains "&"
// or is not what Redrive shows: too long, or with characters that are replaced.
[[nodiscard]] core::Result<> checkEventName(const QString &name);

// The message that makes a step take up a task. Source: ReportStream, Event.kt (toQueueMessage) and QueueAccess.kt, which
// writes it in base64, as queue triggers of Azure Functions read it:
//   process&PROCESS&REPORT-ID&None&&&      options, defaults and routes of the first event are not in TASK: the usual ones
//   receiver&BATCH&RECEIVER&false          for all waiting tasks of the receiver
//   report&SEND&REPORT-ID&false
// Receive has no event. The names in it must have passed checkEventName(). Pure: any thread.
[[nodiscard]] QByteArray eventText(const records::PipelineTask &task, records::PipelineStep step);
[[nodiscard]] records::Envelope eventMessage(const records::PipelineTask &task, records::PipelineStep step);

} // namespace pipeline
