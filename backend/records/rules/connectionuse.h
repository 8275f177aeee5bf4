#pragma once

#include <QString>
#include <QtGlobal>

namespace records {

// What a connection is still needed for. Messages that were sent back do not count: they are at their destinations. Nor do
// browsed-only records, whose originals are still in their queues.
struct ConnectionUse
{
    qint64 unfinishedRetries = 0;
    qint64 unresolved = 0; // messages
    qint64 archived = 0;
    qint64 unknown = 0; // since a backup was restored
    qint64 inDoubt = 0;
    qint64 openIntakes = 0;
};

// Why the connection cannot be removed yet, and what to do first; empty: nothing keeps it.
[[nodiscard]] QString whyNotRemoved(const ConnectionUse &use);

} // namespace records
