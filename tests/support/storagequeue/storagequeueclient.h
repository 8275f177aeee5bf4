#pragma once

#include "backend/broker/azurequeue/azurequeue.h"
#include "backend/core/time/systemclock.h"
#include "backend/http/qnamhttpclient.h"
#include "tests/support/sendonce.h"

namespace support {

inline const QString storageAccount = QStringLiteral("devstoreaccount1");
// The key that every emulator has, from Microsoft's documentation.
inline const QString storageKey =
    QStringLiteral("Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==");

inline records::Connection storageConnection(quint16 port, const QStringList &errorQueues = {})
{
    records::Connection connection;
    connection.name = QStringLiteral("shop-queues");
    connection.url = QUrl(QStringLiteral("http://%1@127.0.0.1:%2/%1").arg(storageAccount, QString::number(port)));
    connection.environment = records::Environment::Development;
    connection.errorQueues = errorQueues;
    return connection;
}

// A client side on its own account. Nothing is held back; idempotent calls are repeated at once where `tries` says so.
struct StorageQueueClient
{
    explicit StorageQueueClient(const records::Connection &connection, const QString &secret = storageKey,
                                int tries = 1)
        : retrying(http, clock, random, sendOnce(tries))
        , queues(retrying, clock, broker::azurequeue::Account::from(connection, secret))
    {
    }

    core::SystemClock clock;
    core::SystemRandom random;
    http::QnamHttpClient http{{3, {}}};
    http::RetryingClient retrying;
    broker::AzureQueue queues;
};

} // namespace support
