#pragma once

#include "backend/api/requests/retryplan.h"

namespace support {

// A destination of a plan that NServiceBus names, as the console shows it. `exists`, `waiting` and `consumers`: nothing
// is not known.
inline api::PlannedDestination planned(const QString &queue, qint64 count, std::optional<bool> exists,
                                       std::optional<qint64> waiting, std::optional<int> consumers,
                                       const QString &knownFrom = QStringLiteral("FailedQ"))
{
    api::PlannedDestination one;
    one.destination = {queue, records::Certainty::Exact, knownFrom};
    one.count = count;
    one.exists = exists;
    one.waiting = waiting;
    one.consumers = consumers;
    return one;
}

} // namespace support
