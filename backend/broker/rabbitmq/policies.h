// Our queues hold the only copy of a message for a while, so no policy may make them expire, drop or delete messages.
// RabbitMQ applies one policy to a queue or exchange: one policy of ours per virtual host has a higher priority than every
// other. Operator policies are merged in any case: one that would lose messages is refused by its
// name.
#pragma once

#include "backend/broker/rabbitmq/http/managementapi.h"

namespace broker::rabbitmq {

inline constexpr QLatin1String ourPrefix("redrive.");

class Policies final
{
public:
    explicit Policies(ManagementApi &api);

    // Call it before anything of ours is created, with the names of the queues. Refused: an operator policy would lose
    // messages; the message names it. Unauthorized: we may not read or write policies.
    [[nodiscard]] Task<Result<>> guard(QStringList queues);
    // The part of guard() that changes nothing.
    [[nodiscard]] Task<Result<>> refuseOperatorPolicies(QStringList queues);

private:
    ManagementApi &m_api;
};

// The policies ("/policies/") or operator policies of the virtual host, as the API gives them. An account that may not read
// them gets the error: a queue whose policies are unknown may lose messages. Old brokers have no operator policies.
[[nodiscard]] Task<Result<QCborArray>> policiesAt(ManagementApi &api, QByteArray path);
// Whether this policy (a map of the API) applies to a queue with that name and type.
[[nodiscard]] bool policyMatches(const QCborMap &policy, const QString &queue,
                                 const QString &type = QStringLiteral("classic"));
// The definition of the policy that applies to the queue: the one with the highest priority; empty: none.
[[nodiscard]] QCborMap policyOf(const LiveQueue &queue, const QCborArray &policies);
// The key by which this operator policy would lose messages of a classic queue; empty: none. A delivery limit does nothing to
// such a queue.
[[nodiscard]] QString harmfulKey(const QCborMap &policy);

} // namespace broker::rabbitmq
