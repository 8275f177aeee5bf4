#pragma once

#include "backend/core/result.h"
#include "backend/records/connection.h"

#include <optional>

namespace records {

// The parts of the text that a person types or pastes to name a broker account.
struct ConnectionUrl
{
    BrokerKind kind = BrokerKind::RabbitMq;
    QUrl url; // in the form of Connection::url
    std::optional<QString> secret; // the password, if the text contained one

    friend bool operator==(const ConnectionUrl &, const ConnectionUrl &) = default;
};

// The default port of the embedded broker (`redrive broker`), and the name of its key.
inline constexpr quint16 embeddedBrokerPort = 5380;
inline constexpr auto embeddedBrokerKeyName = "RootManageSharedAccessKey";

// Reads one of these forms:
//  - "rabbitmq+http[s]://USER[:PASSWORD]@HOST[:PORT]/VHOST[?decimals=none][&take=steps]". Without a path the virtual host
//    is "/". A slash in its name is written as it is or as %2F. The query: see mayCarryDecimals() and takesInSteps().
//  - "servicebus+http[s]://KEY-NAME[:KEY]@HOST[:PORT]/"
//  - "azurequeue+http[s]://HOST[:PORT]/ACCOUNT", without ACCOUNT if the host begins with it. A SAS token may follow a
//    '?'.
//  - "sqs+http[s]://[ACCESS-KEY-ID[:SECRET]@]HOST[:PORT]/?region=REGION", without region if the host names it.
//  - "local:[PORT]", the embedded broker on this machine
//  - a connection string of a storage account or of Service Bus
// Errors have the kind Rejected. They never repeat the text, which may hold a secret.
[[nodiscard]] core::Result<ConnectionUrl> connectionUrlFrom(const QString &text);

// The URL in the form that connectionUrlFrom() reads, without the secret.
[[nodiscard]] QString connectionUrlText(BrokerKind kind, const QUrl &url);

// Whether numbers in headers may be AMQP decimals. RabbitMQ's HTTP API shows 3.14, sent as a decimal, as 2.314, so such
// numbers cannot be sent back unless a person says with "?decimals=none" that nobody sends decimals there.
[[nodiscard]] bool mayCarryDecimals(const Connection &connection);

// Whether a person chose, with "?take=steps", that messages are taken in small steps where RabbitMQ's shovel cannot move them
// (takinginsteps.h says what that guarantees).
[[nodiscard]] bool takesInSteps(const Connection &connection);
// The URL with or without this choice; the rest stays.
[[nodiscard]] QUrl withSteps(QUrl url, bool steps);

// Whether the host is this machine (localhost or a loopback address), so that requests do not leave it.
[[nodiscard]] bool isOnThisMachine(const QUrl &url);

} // namespace records
