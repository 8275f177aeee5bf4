// Follows the dead letters of a virtual host from queue to queue, and says of each queue in which they arrive whether
// it looks like the end of the way (failures) or like a step of it (work).
#pragma once

#include "backend/broker/rabbitmq/http/managementapi.h"
#include "backend/records/queuefacts.h"

#include <QCborArray>
#include <QHash>
#include <QSet>

namespace broker::rabbitmq {

struct Definitions;

// Where the dead letters of a queue go: exchange and routing key (empty: each message keeps its own).
struct DeadLetterRoute
{
    QString exchange;
    QString key;

    friend bool operator==(const DeadLetterRoute &, const DeadLetterRoute &) = default;
};
// By its argument, else by the policy that applies to it; nothing: nowhere.
[[nodiscard]] std::optional<DeadLetterRoute> routeOf(const LiveQueue &queue, const QCborArray &policies);

struct DeadLetterTarget
{
    QString origin; // the first queue by name whose dead letters arrive here
    records::QueueFacts facts;
};

struct DeadLetterWays
{
    QHash<QString, DeadLetterTarget> targets; // every queue in which dead letters of another one may arrive, by name
    // The queues whose dead letters may arrive in another queue that exists, and which those are. Those of all others are
    // lost: RabbitMQ also drops what comes back to its queue without having been rejected
    // (https://www.rabbitmq.com/docs/dlx#cycles).
    QHash<QString, QStringList> kept;
};

// Bindings are followed from exchange to exchange. `timed`: the queues that keep a message for a limited time. Pure. The
// answers of a broker may be hostile: the work grows with their size, and cycles end it.
[[nodiscard]] DeadLetterWays deadLetterWays(const Definitions &definitions, const QSet<QString> &timed);

} // namespace broker::rabbitmq
