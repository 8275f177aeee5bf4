#include "backend/intake/intakepreconditions.h"

#include "backend/intake/text.h"

#include <algorithm>

namespace intake {

using core::ErrorKind;
using core::fail;
using core::Result;

namespace {

constexpr double leastFreeShare = 0.05; // of the disk; ServiceControl stops its ingestion at the same value

} // namespace

QString notListed(const broker::Listing &listing, const QString &queue)
{
    if (listing.complete)
        return Text::tr("The queue %1 does not exist.").arg(queue);
    return Text::tr("This account may not list queues. Add %1 to the error queues in the settings of the connection.")
        .arg(queue);
}

Result<> admitQueue(const records::Connection &connection, const broker::Listing &listing, const QString &queue)
{
    const auto found = std::find_if(listing.queues.cbegin(), listing.queues.cend(),
                                    [&](const broker::QueueInfo &info) { return info.name == queue; });
    if (found == listing.queues.cend() && !listing.complete)
        return fail(ErrorKind::Refused, notListed(listing, queue));
    if (found == listing.queues.cend())
        return fail(ErrorKind::NotFound, Text::tr("The queue %1 does not exist on %2.").arg(queue, connection.name));
    if (!found->refusal.isEmpty())
        return fail(ErrorKind::Refused,
                    Text::tr("Messages of %1 cannot be taken or browsed: %2").arg(queue, found->refusal));
    const bool failures = found->role == broker::QueueRole::ErrorQueue || found->role == broker::QueueRole::DeadLetter
                          || connection.errorQueues.contains(queue);
    if (!failures) {
        return fail(ErrorKind::Refused, Text::tr("%1 is not an error queue. If it holds failed messages, add it to the "
                                                 "error queues in the settings of %2.")
                                            .arg(queue, connection.name));
    }
    return {};
}

Result<> admitDisk(const DiskSpace &freeShare)
{
    const double share = freeShare ? freeShare() : 1.0;
    if (share >= leastFreeShare)
        return {};
    return fail(ErrorKind::Refused,
                Text::tr("Only %1 of the store's disk is free, so no more messages are taken. Free some space first.")
                    .arg(QString::number(share * 100, 'f', 1) + QLatin1Char('%')));
}

} // namespace intake
