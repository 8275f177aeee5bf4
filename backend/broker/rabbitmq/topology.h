// Which queues hold dead letters, and of which queue: from queue arguments, from policies, and from what people told us.
#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/rabbitmq/managementapi.h"

namespace broker::rabbitmq {

// What the definitions of one virtual host say, as the API gives them.
struct Definitions
{
    QList<LiveQueue> queues;
    QCborArray policies; // /api/policies/<vhost>
    bool knowsPolicies = true; // both kinds: else there may be others than these
    QCborArray operatorPolicies; // /api/operator-policies/<vhost>, which are merged with the others
    QCborArray bindings; // /api/bindings/<vhost>
    int major = 0; // version of RabbitMQ; 0: not known
};

// Queues of ours get the role Ours, named error queues ErrorQueue, targets of a dead-letter exchange DeadLetter with
// their origin (the first by name where several share one). Policies apply as RabbitMQ does: one per queue, the highest
// priority; arguments outrank them.
[[nodiscard]] QList<QueueInfo> describe(const Definitions &definitions, const QStringList &errorQueues);

// Why not even a look may be taken, which is a delivery of each message; empty: it costs nothing. `operatorPolicies`: as the
// API gives them.
[[nodiscard]] QString lookRefusalOf(const LiveQueue &queue, const QCborArray &policies,
                                    const QCborArray &operatorPolicies, int major);

// The store, fence and id of a name of ours; nothing for other names: "redrive.<store>.<fence>.<id>[.<part>]".
struct OurName
{
    QString storeId;
    QString place; // without the part
    QString part; // empty, "unroutable", "dead", "out"
};
[[nodiscard]] std::optional<OurName> ourNameFrom(const QString &name);

} // namespace broker::rabbitmq
