#pragma once

#include <QList>
#include <QString>

namespace sandbox {

// One reason why messages of the demo shop fail.
struct Cause
{
    QString workQueue; // where the message was to be processed
    bool deadLetter = false; // in the broker's own dead-letter queue of that queue; else moved to the error queue
    QString messageType;
    QString exceptionType; // or the broker's dead-letter reason
    QString exceptionMessage; // %1: number of the order
    QString stackTrace; // without its first line
    int share = 0; // of all failures, in parts of the sum of all shares
    int failsAgain = 0; // per mille of what is retried
};

inline constexpr QStringView errorQueue = u"error";

// The fixed list: nine causes over four work queues.
[[nodiscard]] const QList<Cause> &causes();
[[nodiscard]] QStringList workQueues();

} // namespace sandbox
