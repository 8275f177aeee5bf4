// The scenario "telemetry": readings of vehicles on a queue of Service Bus. Its file:
//   { "scenario": "telemetry",
//     "messages": 300, "per_second": 5,
//     "time_to_live": "90s", "lock": "15s", "max_delivery_count": 5,
//     "consumers": [ {"name": "greedy", "prefetch": 40, "takes_ms": 800}, {"name": "careful", "prefetch": 1, ...} ],
//     "late": "3%",                                         readings that overtake the one before: they are deferred
//     "faults": [...] }
// A consumer takes `prefetch` messages at once and works on them one by one, while all their locks run. A fault of an
// outage or of a first attempt is transient: the message is abandoned. A body that cannot be read is dead-lettered.
#pragma once

#include "backend/records/editing/jsonnode.h"
#include "backend/sandbox/faults.h"
#include "backend/sandbox/scenariorun.h"

namespace sandbox {

struct TelemetryConsumer
{
    QString name;
    int prefetch = 1;
    core::Milliseconds takes{100};
};

struct TelemetrySettings
{
    int messages = 300;
    int perSecond = 5;
    core::Milliseconds timeToLive{90000};
    core::Milliseconds lock{15000};
    int maxDeliveryCount = 5;
    QList<TelemetryConsumer> consumers;
    int late = 0; // of 10,000
    QList<Fault> faults;
};

inline constexpr QStringView telemetryQueue = u"telemetry";

[[nodiscard]] core::Result<std::shared_ptr<const ScenarioScript>> telemetryScriptFrom(const records::JsonNode &root);

} // namespace sandbox
