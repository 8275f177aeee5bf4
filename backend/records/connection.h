#pragma once

#include "backend/core/ids.h"

#include <QFlags>
#include <QStringList>
#include <QUrl>

#include <optional>

namespace records {

enum class BrokerKind { RabbitMq, ServiceBus, AzureQueue, Sqs }; // stored as numbers
enum class Environment { Development, Test, Production };

enum class Right { See = 1, Take = 2, Retry = 4, Edit = 8, Redirect = 16, Archive = 32, Delete = 64 };
Q_DECLARE_FLAGS(Rights, Right)
Q_DECLARE_OPERATORS_FOR_FLAGS(Rights)

inline constexpr Rights defaultRights = Rights(Right::See) | Right::Take | Right::Retry | Right::Archive;

// One broker account. The secret is never part of it: see core Secrets.
struct Connection
{
    core::ConnectionId id;
    QString name; // unique, chosen by the user
    BrokerKind kind = BrokerKind::RabbitMq;
    // http or https, user name allowed, never a password. RabbitMQ: the path is the percent-encoded virtual host. Storage
    // Queues: the user is the storage account, which is also the path where the host does not name it. SQS: the user is the
    // access key id, the query "region=..".
    QUrl url;
    Environment environment = Environment::Production;
    Rights rights = defaultRights;
    QStringList errorQueues; // what to take failed messages from, beside what the broker itself calls dead-letter queue
    bool doublesAllowed = true; // false: ledger, or small batches
    QString caFile; // PEM file with the private CA, empty for the system's

    friend bool operator==(const Connection &, const Connection &) = default;
};

// "rabbitmq", "servicebus", "azurequeue", "sqs": also the URL scheme before '+'
[[nodiscard]] QString toString(BrokerKind kind);
[[nodiscard]] std::optional<BrokerKind> brokerKindFrom(QStringView text);
[[nodiscard]] QString toString(Environment environment); // "development", "test", "production"
[[nodiscard]] std::optional<Environment> environmentFrom(QStringView text);
[[nodiscard]] QStringList toStrings(Rights rights); // "see", "take", ...
[[nodiscard]] std::optional<Rights> rightsFrom(const QStringList &words);

} // namespace records
