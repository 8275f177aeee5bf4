#pragma once

#include "backend/core/clock.h"
#include "backend/core/result.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace broker {

// One queue as the ATOM management answers describe it (protocols.md A.4).
struct FeedQueue
{
    QString name;
    qint64 active = 0;
    qint64 deadLetter = 0;
    qint64 scheduled = 0;
    qint64 sizeBytes = 0;
    qint64 messages = 0;
    bool duplicateDetection = false;
    bool session = false;
};

// The queues of a feed or of one entry; Corrupt when it is no XML.
[[nodiscard]] core::Result<QList<FeedQueue>> queuesFromAtom(const QByteArray &xml);

} // namespace broker
