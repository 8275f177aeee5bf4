#include "backend/broker/rabbitmq/consumercounts.h"

#include <QCborMap>

#include <algorithm>
#include <limits>

namespace broker::rabbitmq {

namespace {

bool dependsOnConsumers(const QueueInfo &queue)
{
    return queue.role != QueueRole::Ours && !queue.consumers && records::losesEverything(queue.limits, 0)
           && !records::losesEverything(queue.limits, 1);
}

} // namespace

Task<Result<>> addConsumerCounts(ManagementApi &api, QList<QueueInfo> *queues)
{
    qsizetype asked = 0;
    for (QueueInfo &queue : *queues) {
        if (!dependsOnConsumers(queue) || ++asked > mostConsumersAsked)
            continue;
        const Result<QCborValue> found =
            co_await api.get(api.queuePath(queue.name) + "?columns=consumers", queueText(queue.name), Absence::Fact);
        if (!found && found.error().kind == core::ErrorKind::Cancelled)
            co_return core::fail(found.error());
        const QCborValue count = found ? found->toMap().value(QLatin1String("consumers")) : QCborValue();
        if (count.isInteger() && count.toInteger() >= 0)
            queue.consumers = int(std::min(count.toInteger(), qint64{std::numeric_limits<int>::max()}));
    }
    co_return Result<>();
}

} // namespace broker::rabbitmq
