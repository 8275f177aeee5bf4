#pragma once

#include "backend/records/messages/headers.h"

#include <optional>

namespace sandbox {

// A message that makes a step work, as ReportStream writes and reads it (Event.kt, PrimeRouterQueueMessage.kt):
//   {"type": "process", "eventAction": "PROCESS", "reportId": ID, "options": "None", "defaults": {}, "routeTo": [], "at": ""}
//   {"type": "batch", "eventAction": "BATCH", "receiverName": NAME, "emptyBatch": false, "at": ""}
//   {"type": "report", "eventAction": "SEND", "reportId": ID, "emptyBatch": false, "at": ""}
// A send that is tried again has its "retryToken", too, as the document says; ReportStream of today reads that in TASK alone.
// The text that it had before ("report&SEND&ID&false") is read, too, which ReportStream itself does no more. It is the
// format of the other side, so this does not use the program's own writer. Pure: any thread.
struct PipelineEvent
{
    enum class Step { Process, Batch, Send };
    Step step = Step::Process;
    QString subject; // the id of a report; of Batch: the name of a receiver
    QString retryToken{}; // of a send that is tried again: JSON with the items and the number of retries so far
};

[[nodiscard]] records::Envelope envelopeOf(const PipelineEvent &event);
// The subject of an event for this step; nothing: it is none.
[[nodiscard]] std::optional<QString> subjectOf(const records::Envelope &envelope, PipelineEvent::Step step);

} // namespace sandbox
