// The three rights that RabbitMQ gives an account on a virtual host, each a pattern that names must match: what they allow us to
// do, and how one that is missing is said to people.
#pragma once

#include "backend/broker/rabbitmq/managementapi.h"

namespace broker::rabbitmq {

struct Permissions
{
    QString configure;
    QString write;
    QString read;
};

// Nothing: RabbitMQ does not tell. It tells administrators only, and nobody where rights are kept outside of it.
[[nodiscard]] Task<Result<std::optional<Permissions>>> readPermissions(ManagementApi &api, QString user,
                                                                       bool isAdministrator);

// Whether a pattern allows a queue or exchange of this name. An empty one allows none.
[[nodiscard]] bool allows(const QString &pattern, const QString &name);

// What is missing to hold messages in queues of ours: to take them, and to stage them. Empty: nothing.
[[nodiscard]] QStringList missingToHold(const Permissions &permissions);
// What is missing to send at all, straight or out of a staging queue. Empty: nothing.
[[nodiscard]] QString missingToSend(const Permissions &permissions);
// What is missing to look into these queues.
[[nodiscard]] QStringList missingToBrowse(const Permissions &permissions, const QStringList &queues);

// What a request needed that was refused.
enum class Need { Configure, WriteAndRead, Read, DeadLetters };

// The error as it is, but for one that says that a right is missing: that is named, and the queue or exchange only where it is
// none of ours.
[[nodiscard]] core::Error namingRight(core::Error error, Need need, const QString &name);
// Of a publish through this exchange.
[[nodiscard]] core::Error namingRightToSend(core::Error error, const QString &exchange, const QString &destination);

} // namespace broker::rabbitmq
