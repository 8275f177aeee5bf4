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
    DeliveryRules deliveryRules{};
};

// Our queues get the role Ours, named error queues ErrorQueue, other targets of a dead-letter exchange Candidate. Both
// kinds of targets have their origin (the first by name if several queues share a target) and facts. Policies apply as in RabbitMQ: one for each queue, with
// the highest priority; arguments come before policies.
[[nodiscard]] QList<QueueInfo> describe(const Definitions &definitions, const QStringList &errorQueues);

// Gives the dead-letter targets among these queues of describe() their roles, origins and facts. Again when the consumers
// are known, which only facts need.
void addDeadLetterTargets(const Definitions &definitions, QList<QueueInfo> *described);

// How often a message of the queue may return to it; nothing: without end. Policies as the API gives them. 0: the first return
// removes it. Without the queues that get what leaves.
[[nodiscard]] std::optional<records::DeliveryLimit> deliveryLimitOf(const LiveQueue &queue, const QCborArray &policies,
                                                                    const QCborArray &operatorPolicies,
                                                                    const DeliveryRules &rules);

// For how long a message waits in the queue after it was returned to it: at least and at most (quorum queues of RabbitMQ 4.3).
struct DelayedRetry
{
    bool afterLooks = false; // also after a look
    core::Milliseconds least{};
    core::Milliseconds most{};
};
[[nodiscard]] std::optional<DelayedRetry> delayedRetryOf(const LiveQueue &queue, const QCborArray &policies,
                                                         const QCborArray &operatorPolicies);

// The parts of a name of ours, "redrive.<store>.<fence>.<id>[.<part>]"; nothing for other names.
struct OurName
{
    QString storeId;
    QString place; // the name without the part
    QString part; // empty, "unroutable", "dead"
};
[[nodiscard]] std::optional<OurName> ourNameFrom(const QString &name);

} // namespace broker::rabbitmq
