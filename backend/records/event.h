#pragma once

#include "backend/core/clock.h"

#include <QString>

namespace records {

enum class Severity { Info, Warning, Problem };

// One line of the audit trail: who did what, on what, with which result. Append-only.
struct Event
{
    qint64 sequence = 0;
    core::TimePoint at{};
    Severity severity = Severity::Info;
    QString who; // the user, or "engine"
    QString what; // one verb phrase: "Retry requested"
    QString onWhat; // connection, queue, operation
    QString result;
};

} // namespace records
