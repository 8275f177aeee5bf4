#pragma once

#include "backend/core/result.h"
#include "backend/records/connection.h"

#include <optional>

namespace records {

// What a person types or pastes to name a broker account, taken apart.
struct ConnectionUrl
{
    BrokerKind kind = BrokerKind::RabbitMq;
    QUrl url; // as Connection::url keeps it: http or https, user name, never a password
    std::optional<QString> secret; // the password, when one stood in the text

    friend bool operator==(const ConnectionUrl &, const ConnectionUrl &) = default;
};

// Where the embedded broker (`redrive broker`) listens if nothing else is said, and as whom one comes to it.
inline constexpr quint16 embeddedBrokerPort = 5380;
inline constexpr auto embeddedBrokerKeyName = "RootManageSharedAccessKey";

// "rabbitmq+http[s]://USER[:PASSWORD]@HOST[:PORT]/VHOST" (no path: the virtual host "/"; a slash inside a name may be written
// plainly or as %2F), "servicebus+http[s]://KEY-NAME[:KEY]@HOST[:PORT]/", "azurequeue+http[s]://HOST[:PORT]/ACCOUNT", or
// without account where the host begins with it, perhaps with a SAS token after a '?', and
// "sqs+http[s]://[ACCESS-KEY-ID[:SECRET]@]HOST[:PORT]/?region=REGION". "local:[PORT]" is the embedded broker on this machine. A
// connection string of a storage account or of Service Bus is understood as well. Errors are of kind Rejected; they never
// repeat the text, which may hold a secret.
[[nodiscard]] core::Result<ConnectionUrl> connectionUrlFrom(const QString &text);

// The other way, without the secret.
[[nodiscard]] QString connectionUrlText(BrokerKind kind, const QUrl &url);

// What travels to it does not leave this machine.
[[nodiscard]] bool isOnThisMachine(const QUrl &url);

} // namespace records
