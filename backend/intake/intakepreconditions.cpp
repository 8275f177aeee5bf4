#include "backend/intake/intakepreconditions.h"

#include "backend/intake/text.h"

#include <QLocale>

#include <algorithm>

namespace intake {

using core::ErrorKind;
using core::fail;
using core::Result;

namespace {

constexpr double leastFreeShare = 0.05; // of the disk (ServiceControl stops its ingestion there as well)

} // namespace

QString notListed(const broker::Listing &listing, const QString &queue)
{
    if (listing.complete)
        return Text::tr("The queue %1 does not exist.").arg(queue);
    return Text::tr(
               "This account may not list queues, so an error queue must be named in the connection's settings; %1 is "
               "not.")
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
        return fail(ErrorKind::Refused, Text::tr("%1 cannot be taken from: %2").arg(queue, found->refusal));
    const bool failures = found->role == broker::QueueRole::ErrorQueue || found->role == broker::QueueRole::DeadLetter
                          || connection.errorQueues.contains(queue);
    if (!failures) {
        return fail(
            ErrorKind::Refused,
            Text::tr("%1 is not an error queue. Name it as one in the settings of %2 if it holds failed messages.")
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
                Text::tr("Only %1 of the store's disk is free: nothing more is taken. Make room there first.")
                    .arg(QLocale().toString(share * 100, 'f', 1) + QLatin1Char('%')));
}

} // namespace intake
