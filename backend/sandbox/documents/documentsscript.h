// The scenario "documents": deferred dispatch. Its file:
//   { "scenario": "documents",
//     "messages": 150, "per_second": 5, "articles": 3, "takes_ms": 60,
//     "conflicts": {...},                                   policy for conflicts within a dispatch
//     "offline": {"policy": {...}},                         policy of the endpoint for documents that were set aside
//     "sweep": "30s",                                       how often documents are looked for that nobody dispatches
//     "faults": [...],
//     "return": {"every": "15s", "policy": {...}} }         as in ordersscript.h
// `messages` are orders. Each one is a document that sends two messages: to its article, which confirms, and to its
// customer. Three faults are of this scenario only, each with a "share": {"fault": "dies_before_queueing"} and {"fault":
// "dies_after_handling"}: the request ends there, and leaves its document as it is; {"fault": "contended", "times": 6}: somebody
// else saves the document that handles a message in the middle of the first 6 saves of the request.
#pragma once

#include "backend/records/editing/jsonnode.h"
#include "backend/sandbox/documents/dispatcher.h"
#include "backend/sandbox/nservicebus/errorqueuereturn.h"
#include "backend/sandbox/scenariorun.h"

namespace sandbox {

struct DocumentsSettings
{
    int messages = 100;
    int perSecond = 5;
    int articles = 3;
    Dispatcher::Settings dispatch;
    recovery::Policy offline;
    core::Milliseconds sweep{30000};
    ReturnSettings returning;
};

inline constexpr QStringView documentsQueue = u"documents";

[[nodiscard]] core::Result<std::shared_ptr<const ScenarioScript>> documentsScriptFrom(const records::JsonNode &root);

} // namespace sandbox
