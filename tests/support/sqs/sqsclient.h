#pragma once

#include "backend/broker/sqs/sqs.h"
#include "backend/core/time/systemclock.h"
#include "backend/http/qnamhttpclient.h"
#include "tests/support/sendonce.h"

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
        : retrying(http, clock, random, sendOnce(tries))
        , queues(retrying, clock, broker::sqs::Account::from(connection, secret))
    {
    }

    core::SystemClock clock;
    core::SystemRandom random;
    http::QnamHttpClient http{{3, {}}};
    http::RetryingClient retrying;
    broker::Sqs queues;
};

} // namespace support
