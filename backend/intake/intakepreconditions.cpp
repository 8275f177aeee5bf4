#include "backend/intake/intakepreconditions.h"

#include "backend/core/text/safetext.h"
#include "backend/intake/text.h"
#include "backend/records/takinginsteps.h"

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
    return Text::tr(
               "The queue %1 is not on the broker's list: this account may not list queues, or a part of the broker is "
               "down. Check that it exists, and that the connection names it as an error queue.")
        .arg(queue);
}

Result<> admitAccount(const records::Connection &connection, const broker::Capabilities &found)
{
    if (found.canTake)
        return {};
    QString reason = Text::tr("Messages of %1 can only be browsed, not taken. Missing or limited: %2.")
                         .arg(connection.name, found.missing.join(QLatin1String("; ")));
    if (found.offersSteps)
        reason += QLatin1Char(' ') + records::stepsOffer(connection.name);
    return fail(ErrorKind::Refused, reason);
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
    if (!failures)
        return fail(ErrorKind::Refused, notAnErrorQueue(connection, queue));
    return {};
}

QString notAnErrorQueue(const records::Connection &connection, const QString &queue)
{
    return Text::tr(
               "%1 is not an error queue of %2. If it holds only failed messages, add it: in the menu of the queue, "
               "or with redrive connection queues %3 --take %4")
        .arg(queue, connection.name, core::shellWord(connection.name), core::shellWord(queue));
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
