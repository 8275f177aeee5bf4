#pragma once

#include "backend/core/fields.h"
#include "backend/core/ids.h"

#include <QFlags>
#include <QStringList>
#include <QUrl>

#include <optional>

namespace records {

// Both are stored as numbers.
enum class BrokerKind { RabbitMq, ServiceBus, AzureQueue, Sqs };
constexpr BrokerKind lastOf(BrokerKind)
{
    return BrokerKind::Sqs;
}
enum class Environment { Development, Test, Production };
constexpr Environment lastOf(Environment)
{
    return Environment::Production;
}

// What Redrive may do on a connection.
enum class Right { See = 1, Take = 2, Retry = 4, Edit = 8, Redirect = 16, Archive = 32, Delete = 64 };
Q_DECLARE_FLAGS(Rights, Right)
Q_DECLARE_OPERATORS_FOR_FLAGS(Rights)

inline constexpr Rights defaultRights = Rights(Right::See) | Right::Take | Right::Retry | Right::Archive;

// One broker account. Its secret is not a part of it; core::Secrets keeps that.
struct Connection
{
    core::ConnectionId id;
    QString name; // unique, chosen by the user
    BrokerKind kind = BrokerKind::RabbitMq;
    // http or https, with a user name but never a password.
    //  - RabbitMQ: the path is the percent-encoded virtual host; the query may have "decimals=none" and "take=steps".
    //  - Service Bus: the user is the name of the key.
    //  - Storage Queues: the user is the storage account. The path names it too, unless the host does.
    //  - SQS: the user is the access key id, and the query is "region=..".
    QUrl url;
    Environment environment = Environment::Production;
    Rights rights = defaultRights;
    QStringList errorQueues; // queues with failed messages that a person named: nothing is taken from any other queue
    bool doublesAllowed = true; // false: avoid what may send a message twice; in-doubt messages stay in doubt
    QString caFile; // PEM file with a private CA; empty: the CAs of the system

    REDRIVE_FIELDS(id, name, kind, url, environment, rights, errorQueues, doublesAllowed, caFile)
    friend bool operator==(const Connection &, const Connection &) = default;
};

[[nodiscard]] QString productName(BrokerKind kind); // as its maker writes it: "RabbitMQ", "Storage Queues"

// The words of command line and JSON. The readers return nothing for any other word.
// "rabbitmq", "servicebus", "azurequeue", "sqs"; the same word begins a connection URL
[[nodiscard]] QString toString(BrokerKind kind);
[[nodiscard]] std::optional<BrokerKind> brokerKindFrom(QStringView text);
[[nodiscard]] QString toString(Environment environment); // "development", "test", "production"
[[nodiscard]] std::optional<Environment> environmentFrom(QStringView text);
[[nodiscard]] QStringList toStrings(Rights rights); // "see", "take", ...
[[nodiscard]] std::optional<Rights> rightsFrom(const QStringList &words);

} // namespace records
