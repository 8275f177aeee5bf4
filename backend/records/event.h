#pragma once

#include "backend/core/time/clock.h"

#include <QString>

namespace records {

enum class Severity { Info, Warning, Problem };

// One entry of the activity log: who did what, on what, with which result. Entries are only added, never changed.
struct Event
{
    qint64 sequence = 0;
    core::TimePoint at{};
    Severity severity = Severity::Info;
    QString who; // the user, or "engine"
    QString what; // in few words: "Retry requested"
    QString onWhat; // the connection, queue or operation
    QString result;
};

} // namespace records
