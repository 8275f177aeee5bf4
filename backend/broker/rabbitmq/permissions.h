// The three rights of an account on a virtual host. Each is a regular expression that names must match.
#pragma once

#include "backend/broker/rabbitmq/http/managementapi.h"

namespace broker::rabbitmq {

struct Permissions
{
    QString configure;
    QString write;
    QString read;
};

// Nothing: unknown. RabbitMQ shows rights only to administrators, and to nobody if they are kept outside of it.
[[nodiscard]] Task<Result<std::optional<Permissions>>> readPermissions(ManagementApi &api, QString user,
                                                                       bool isAdministrator);

// Whether a pattern allows a queue or exchange with this name. An empty pattern allows none.
[[nodiscard]] bool allows(const QString &pattern, const QString &name);

// Missing rights to take messages and to stage them, in queues of ours. Empty: none.
[[nodiscard]] QStringList missingToHold(const Permissions &permissions);
// The missing right to send, directly or from a staging queue. Empty: none.
[[nodiscard]] QString missingToSend(const Permissions &permissions);
// Missing rights to browse these queues.
[[nodiscard]] QStringList missingToBrowse(const Permissions &permissions, const QStringList &queues);

// What a refused request needed.
enum class Need { Configure, WriteAndRead, Read, DeadLetters, Alternate };

// Names the missing right in an error that is about one, and the queue or exchange unless it is ours. Returns other
// errors unchanged.
[[nodiscard]] core::Error namingRight(core::Error error, Need need, const QString &name);
// The same for a publish through this exchange.
[[nodiscard]] core::Error namingRightToSend(core::Error error, const QString &exchange, const QString &destination);

} // namespace broker::rabbitmq
