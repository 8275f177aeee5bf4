#pragma once

#include "backend/broker/sqs/sqs.h"
#include "backend/core/systemclock.h"
#include "backend/http/qnamhttpclient.h"
#include "backend/http/retryingclient.h"

namespace support {

// The example key of AWS's documentation.
inline const QString sqsKeyId = QStringLiteral("AKIDEXAMPLE");
inline const QString sqsSecret = QStringLiteral("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");

inline records::Connection sqsConnection(quint16 port, const QStringList &errorQueues = {})
{
    records::Connection connection;
    connection.name = QStringLiteral("shop-sqs");
    connection.kind = records::BrokerKind::Sqs;
    connection.url =
        QUrl(QStringLiteral("http://%1@127.0.0.1:%2/?region=us-east-1").arg(sqsKeyId, QString::number(port)));
    connection.environment = records::Environment::Development;
    connection.errorQueues = errorQueues;
    return connection;
}

// A client side on its own account. Nothing is held back; idempotent calls are repeated at once where `tries` says so.
struct SqsClient
{
    explicit SqsClient(const records::Connection &connection, const QString &secret = sqsSecret, int tries = 1)
        : retrying(http, clock, random, settings(tries))
        , queues(retrying, clock, broker::sqs::Account::from(connection, secret))
    {
    }
    static http::RetrySettings settings(int tries)
    {
        using core::Milliseconds;
        return {tries, Milliseconds{1}, Milliseconds{1}, 10, Milliseconds{60000}, {1000, Milliseconds{1}}};
    }

    core::SystemClock clock;
    core::SystemRandom random;
    http::QnamHttpClient http{{3, {}}};
    http::RetryingClient retrying;
    broker::Sqs queues;
};

} // namespace support
