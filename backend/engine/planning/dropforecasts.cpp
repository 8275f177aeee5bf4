#include "backend/engine/planning/dropforecasts.h"

#include "backend/engine/text.h"

#include <QMap>

#include <algorithm>

namespace engine {

QList<api::PlannedDrop> dropsOf(const PlanBasis &basis, const QList<records::FrozenShare> &shares)
{
    QMap<QString, api::PlannedDrop> byQueue; // messages with several origins may go to one queue
    for (const records::FrozenShare &share : shares) {
        const broker::QueueInfo *queue = findQueue(basis, share.destination.queue);
        if (queue == nullptr)
            continue;
        api::PlannedDrop &planned = byQueue[queue->name];
        planned.queue = queue->name;
        planned.limits = queue->limits;
        planned.coming.count += share.count;
        planned.coming.bytes += share.bytes;
        planned.coming.largest = std::max(planned.coming.largest, share.largest);
        planned.coming.waiting = queue->depth;
        planned.coming.consumers = queue->consumers;
    }
    QList<api::PlannedDrop> drops;
    for (api::PlannedDrop &planned : byQueue) {
        planned.forecast = records::forecastOf(planned.limits, planned.coming);
        if (planned.forecast.cause != records::DropForecast::Cause::None)
            drops.append(planned);
    }
    return drops;
}

qint64 certainDropsOf(const QList<api::PlannedDrop> &drops)
{
    qint64 count = 0;
    for (const api::PlannedDrop &one : drops)
        count += one.forecast.isCertain ? one.forecast.dropped : 0;
    return count;
}

core::Result<> checkDrops(const QList<api::PlannedDrop> &drops, const records::Plan &plan)
{
    if (plan.acceptDrops)
        return {};
    for (const api::PlannedDrop &one : drops) {
        if (one.forecast.isCertain) {
            return core::fail(core::ErrorKind::Refused,
                              records::dropText(one.queue, one.limits, one.forecast, one.coming) + QLatin1Char(' ')
                                  + Text::tr("Accept that, redirect the messages, or change the queue."));
        }
    }
    return {};
}

bool losesEverything(const broker::QueueInfo &queue)
{
    return records::losesEverything(queue.limits, queue.consumers);
}

std::optional<QStringList> keepingQueues(const PlanBasis &basis, records::OperationKind kind)
{
    std::optional<QStringList> existing = existingQueues(basis, kind);
    if (existing)
        existing->removeIf([&](const QString &name) {
            const broker::QueueInfo *queue = findQueue(basis, name);
            return queue != nullptr && losesEverything(*queue);
        });
    return existing;
}

QString whyHeldBack(const PlanBasis &basis, const QString &queue)
{
    const broker::QueueInfo *found = findQueue(basis, queue);
    if (found == nullptr)
        return {};
    if (const QString refusal = cannotSendTo(basis, *found); !refusal.isEmpty())
        return refusal + QLatin1Char(' ') + Text::tr("Add a redirect, and its messages follow within a minute.");
    if (!losesEverything(*found))
        return {};
    return Text::
        tr("The queue %1 loses what is sent to it: it keeps messages too short, and no consumer is known. Change its "
           "limits or add a redirect, and its messages follow within a minute.")
            .arg(queue);
}

QString cannotKeepOrder(const PlanBasis &basis)
{
    if (basis.capabilities.handOver == records::HandOver::StagingQueue)
        return {};
    return Text::tr("On %1 Redrive cannot keep the order: a message whose send fails is sent again after others.")
        .arg(basis.connection.name);
}

core::Result<> checkOrder(const PlanBasis &basis, const records::Plan &plan)
{
    if (!plan.keepOrder || !basis.known)
        return {};
    const QString why = cannotKeepOrder(basis);
    return why.isEmpty() ? core::Result<>() : core::fail(core::ErrorKind::Refused, why);
}

} // namespace engine
