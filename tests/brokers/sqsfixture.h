// A queue, its dead-letter queue and a client, on the fake of SQS.
#pragma once

#include "tests/support/must.h"
#include "tests/support/sqs/fakesqs.h"
#include "tests/support/sqs/sqsclient.h"

#include <QCoro/QCoroTask>
#include <QTest>

namespace test {

inline const QString orders = QStringLiteral("orders");
inline const QString dead = QStringLiteral("orders-dlq");

struct SqsFixture
{
    explicit SqsFixture(int messages = 0, int tries = 1)
        : client(support::sqsConnection(fake.port(), {QStringLiteral("failed")}), support::sqsSecret, tries)
    {
        fake.addQueue(orders, dead);
        fake.addQueue(dead);
        for (int i = 0; i < messages; ++i)
            fake.put(dead, QStringLiteral("m%1").arg(i));
    }
    support::FakeSqs fake;
    support::SqsClient client;
};

} // namespace test
