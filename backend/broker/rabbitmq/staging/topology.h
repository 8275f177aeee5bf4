// Which queues hold dead letters and of which queue: from queue arguments, policies and the error queues of the
// connection.
#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/rabbitmq/http/managementapi.h"

namespace broker::rabbitmq {

// The definitions of one virtual host, as the API gives them.
struct Definitions
{
    QList<LiveQueue> queues;
    QCborArray policies; // /api/policies/<vhost>
    bool knowsPolicies = true; // false: there may be more policies of either kind, which we may not read
    QCborArray operatorPolicies; // merged with the other policies
    QCborArray bindings; // /api/bindings/<vhost>
    std::optional<QCborArray> consumers{}; // /api/consumers/<vhost>; nothing: unknown, or only a part may be read
    int major = 0; // major version of RabbitMQ; 0: unknown
};

// Our queues get the role Ours, named error queues ErrorQueue, other targets of a dead-letter exchange Candidate. Both
// kinds of targets have their origin (the first by name if several queues share a target) and facts. Policies apply as in RabbitMQ: one for each queue, with
// the highest priority; arguments come before policies.
[[nodiscard]] QList<QueueInfo> describe(const Definitions &definitions, const QStringList &errorQueues);

// Gives the dead-letter targets among these queues of describe() their roles, origins and facts. Again when the consumers
// are known, which only facts need.
void addDeadLetterTargets(const Definitions &definitions, QList<QueueInfo> *described);

// Why the queue must not be browsed, for people: browsing is a delivery of each message. Empty: it may be browsed.
// `operatorPolicies`: as the API gives them.
[[nodiscard]] QString lookRefusalOf(const LiveQueue &queue, const QCborArray &policies,
                                    const QCborArray &operatorPolicies, int major);

// The parts of a name of ours, "redrive.<store>.<fence>.<id>[.<part>]"; nothing for other names.
struct OurName
{
    QString storeId;
    QString place; // the name without the part
    QString part; // empty, "unroutable", "dead"
};
[[nodiscard]] std::optional<OurName> ourNameFrom(const QString &name);

} // namespace broker::rabbitmq
