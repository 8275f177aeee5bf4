// Our queues hold the only copy of a message for a while, so nothing may expire, shorten or delete them. One policy of
// ours per virtual host outranks every policy that matches our names (RabbitMQ applies one policy only); an operator
// policy is merged all the same, so one that would lose messages makes us refuse, by its name.
#pragma once

#include "backend/broker/rabbitmq/managementapi.h"

namespace broker::rabbitmq {

inline constexpr QLatin1String ourPrefix("redrive.");

class Policies final
{
public:
    explicit Policies(ManagementApi &api);

    // To be called before anything of ours is made. Refused, with the name of the policy, when our queues would lose
    // messages; Unauthorized when we cannot look or write.
    [[nodiscard]] Task<Result<>> guard(QString ourName);
    // The part of it that only looks.
    [[nodiscard]] Task<Result<>> refuseOperatorPolicies(QString ourName);

private:
    ManagementApi &m_api;
};

// Does this policy (a map of the API) touch a queue of that name and type, and which key of its definition would lose messages?
[[nodiscard]] bool policyMatches(const QCborMap &policy, const QString &queue,
                                 const QString &type = QStringLiteral("classic"));
[[nodiscard]] QString harmfulKey(const QCborMap &policy);

} // namespace broker::rabbitmq
