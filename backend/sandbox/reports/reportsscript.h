// The scenario "reports": the pipeline of ReportStream. Its file:
//   { "scenario": "reports",
//     "messages": 120, "every": "30s",                     reports, and the time between two of them
//     "receive": {"faults": [...]},                        answers that are not 201: their "http_status"
//     "process": {"policy": {...}, "faults": [...]},       what is given up goes to the queue of "exhausted"
//     "send": {"policy": {...}, "faults": [...]},          those of the function itself: it is not tried again
//     "receivers": [ {"name": "county.elr", "share": 25, "timing": {...}, "max_reports": 100, "splits": false,
//                     "batch_faults": [...], "faults": [...]} ] }
// "timing" is a policy with a cadence and its backstop; a receiver without it gets each report alone. A batch has at most
// "max_reports" reports; with "splits" each item of them is sent alone. "faults" of a receiver hit the items that are sent
// to it, "batch_faults" its batches.
#pragma once

#include "backend/records/editing/jsonnode.h"
#include "backend/recovery/policy.h"
#include "backend/sandbox/faults.h"
#include "backend/sandbox/scenariorun.h"

namespace sandbox {

struct ReportReceiver
{
    QString name;
    int share = 1;
    std::optional<recovery::Policy> timing;
    int maxReports = 100;
    bool splits = false;
    QList<Fault> batchFaults;
    QList<Fault> faults;
};

struct ReportsSettings
{
    int messages = 100;
    core::Milliseconds every{30000};
    QList<Fault> receiveFaults;
    recovery::Policy process;
    QList<Fault> processFaults;
    recovery::Policy send;
    QList<Fault> sendFaults;
    QList<ReportReceiver> receivers;

    [[nodiscard]] QString poisonQueue() const { return process.exhausted.queue; }
};

inline constexpr QStringView processQueue = u"process";
inline constexpr QStringView batchQueue = u"batch";
inline constexpr QStringView sendQueue = u"send";
inline constexpr QStringView pipelineFile = u"pipeline.db"; // in the folder of the run

[[nodiscard]] core::Result<std::shared_ptr<const ScenarioScript>> reportsScriptFrom(const records::JsonNode &root);

} // namespace sandbox
