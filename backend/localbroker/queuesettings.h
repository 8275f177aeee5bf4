#pragma once

#include "backend/core/clock.h"

#include <QString>

#include <optional>

namespace localbroker {

// The "static knobs" of a queue (seed 002 part 1; defaults as the service's).
struct QueueSettings
{
    QString name; // compared without case; may contain '/'
    core::Milliseconds lockDuration{60000}; // at most 5 minutes
    int maxDeliveryCount = 10; // 1 to 2000
    std::optional<core::Milliseconds> defaultTimeToLive; // nothing: for ever
    bool deadLetteringOnExpiration = false;
    std::optional<core::Milliseconds> autoDeleteOnIdle; // nothing: never
    bool duplicateDetection = false;
    core::Milliseconds duplicateWindow{600000};
    qint64 maxSizeBytes = 1024LL * 1024 * 1024;
};

// What one queue or its dead-letter sub-queue holds.
struct QueueCounts
{
    qint64 active = 0;
    qint64 deadLetter = 0;
    qint64 scheduled = 0;
    qint64 bytes = 0;
};

// A queue or its "$DeadLetterQueue".
struct Place
{
    QString queue;
    bool deadLetter = false;
};

} // namespace localbroker
