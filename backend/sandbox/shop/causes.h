#pragma once

#include "backend/sandbox/nservicebus/nservicebusheaders.h"

#include <QList>
#include <QString>

namespace sandbox {

// One cause for which messages of the demo shop fail.
struct Cause
{
    QString workQueue; // the queue in which the message failed
    bool deadLetter = false; // true: it goes to the dead-letter queue of workQueue; false: to the error queue
    QString messageType;
    QString exceptionType; // or the broker's dead-letter reason
    QString exceptionMessage; // %1 is the number of the order
    QString stackTrace; // without its first line
    int share = 0; // of all failures, relative to the sum of all shares
    int failsAgain = 0; // of 1000 retried messages
};

// The fixed list of nine causes in four work queues.
[[nodiscard]] const QList<Cause> &causes();
[[nodiscard]] QStringList workQueues();

} // namespace sandbox
