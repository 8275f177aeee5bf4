// The command line on SQS, from adding the connection to a message that is consumed and one that fails again. Against
// fauxqs; skipped where it is missing.
#include "tests/support/commandlinefixture.h"
#include "tests/support/must.h"
#include "tests/support/nodeserver/nodeserver.h"
#include "tests/support/sqs/sqstools.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

namespace {

const QString orders = QStringLiteral("orders");
const QString deadLetters = QStringLiteral("orders-dlq");

QJsonObject attribute(const char *type, const char *value)
{
    const bool bytes = QByteArray(type).startsWith("Binary");
    return {{QStringLiteral("DataType"), QLatin1String(type)},
            {QLatin1String(bytes ? "BinaryValue" : "StringValue"), QString::fromUtf8(value)}};
}

QJsonObject firstOrder()
{
    const QJsonObject attributes{{QStringLiteral("kind"), attribute("String", "order \xc3\xbc")},
                                 {QStringLiteral("amount"), attribute("Number", "1.50")},
                                 {QStringLiteral("count"), attribute("Number", "7")},
                                 {QStringLiteral("retries"), attribute("Number.int", "0")},
                                 {QStringLiteral("mark"), attribute("Binary.png", "AAEC/w==")}};
    const QString body = QString::fromUtf8("{\"order\": 1, \"note\": \"<b> & \xc3\xbc\"}\r\n");
    return {{QStringLiteral("MessageBody"), body}, {QStringLiteral("MessageAttributes"), attributes}};
}

QJsonObject attributesOf(const QJsonObject &received)
{
    return received.value(QLatin1String("MessageAttributes")).toObject();
}

} // namespace

class TestEndToEndSqs final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!m_server.isInstalled())
            QSKIP("fauxqs is not installed, or Node.js is older than 20");
        QVERIFY2(m_server.start(), qPrintable(m_server.error()));
    }
    void failedMessagesAreTakenGroupedAndSentBack();
    void fifoMessagesGoBackIntoTheirGroup();

private:
    void checkArrived(const QList<QJsonObject> &arrived);

    QJsonObject m_sent; // the first one, with all its attributes
    support::NodeServer m_server{support::fauxqs()};
};

void TestEndToEndSqs::failedMessagesAreTakenGroupedAndSentBack()
{
    support::SqsTools tools(m_server.port());
    tools.create(deadLetters);
    tools.create(orders, deadLetters);
    tools.send(orders, firstOrder());
    for (int i = 0; i < 25; ++i)
        tools.send(orders, {{QStringLiteral("MessageBody"), QStringLiteral("order %1").arg(i)}});
    tools.fail(orders);
    QCOMPARE(tools.count(deadLetters), 26);

    support::CommandLineFixture fixture(support::sqsSecret);
    const QString url =
        QStringLiteral("sqs+http://%1@127.0.0.1:%2/?region=us-east-1").arg(support::sqsKeyId).arg(m_server.port());
    const support::Ended added = fixture.run(
        QStringLiteral("connection add shop %1 --environment development --take-dead-letter-queues").arg(url));
    QVERIFY2(added.code == 0, added.words().constData());
    const support::Ended tested = fixture.run(QStringLiteral("connection test shop"));
    QVERIFY2(tested.code == 0, tested.words().constData());
    QCOMPARE(tested.object().value(QLatin1String("product")).toString(), QStringLiteral("Amazon SQS"));
    QVERIFY(tested.object().value(QLatin1String("guarantee")).toString().contains(QLatin1String("may arrive twice")));
    const support::Ended listed = fixture.run(QStringLiteral("connection list"));
    QVERIFY2(listed.out.contains(url.toUtf8()), listed.words().constData());
    const support::Ended browsed = fixture.run(QStringLiteral("intake --browse"));
    QVERIFY2(browsed.code == 0 && browsed.object().value(QLatin1String("seen")).toInt() == 26,
             browsed.words().constData());

    const support::Ended taken = fixture.run(QStringLiteral("intake"));
    QVERIFY2(taken.code == 0, taken.words().constData());
    QCOMPARE(taken.object().value(QLatin1String("taken")).toInt(), 26);
    QCOMPARE(tools.count(deadLetters), 0);
    const support::Ended groups = fixture.run(QStringLiteral("groups --by address"));
    QVERIFY2(groups.list().size() == 1, groups.words().constData());
    const support::Ended retried = fixture.run(QStringLiteral("retry --all --wait"));
    QVERIFY2(retried.code == 0, retried.words().constData());
    QCOMPARE(retried.object().value(QLatin1String("sent")).toInt(), 26);

    QCOMPARE(tools.count(orders), 26);
    checkArrived(tools.drain(orders));

    // One fails again: it is recognised.
    tools.send(orders, m_sent);
    tools.fail(orders);
    const support::Ended again = fixture.run(QStringLiteral("intake"));
    QVERIFY2(again.code == 0, again.words().constData());
    QCOMPARE(again.object().value(QLatin1String("taken")).toInt(), 1);
    QCOMPARE(again.object().value(QLatin1String("new")).toInt(), 0);
    QCOMPARE(again.object().value(QLatin1String("came_back")).toInt(), 1);

    QVERIFY(!fixture.holds(support::sqsSecret.toLatin1()));
    for (const support::Ended &one : {added, tested, listed, browsed, taken, retried, again})
        QVERIFY(!one.words().contains(support::sqsSecret.toLatin1()));
}

// Each once, with the same body and attributes, and Redrive's stamp.
void TestEndToEndSqs::checkArrived(const QList<QJsonObject> &arrived)
{
    const QJsonObject first = firstOrder();
    m_sent = first;
    QSet<QString> bodies;
    for (const QJsonObject &one : arrived) {
        bodies.insert(one.value(QLatin1String("Body")).toString());
        QVERIFY(attributesOf(one).contains(QLatin1String("Redrive-Stamp")));
        if (one.value(QLatin1String("Body")) == first.value(QLatin1String("MessageBody"))) {
            QJsonObject attributes = attributesOf(one);
            m_sent.insert(QStringLiteral("MessageAttributes"), attributes);
            attributes.remove(QStringLiteral("Redrive-Stamp"));
            QCOMPARE(attributes, attributesOf(first));
        }
    }
    QCOMPARE(bodies.size(), 26);
}

void TestEndToEndSqs::fifoMessagesGoBackIntoTheirGroup()
{
    support::SqsTools tools(m_server.port());
    const QString fifo = QStringLiteral("bills.fifo");
    const QString dead = QStringLiteral("bills-dlq.fifo");
    tools.create(dead);
    tools.create(fifo, dead);
    // More messages of one group than one call returns: while these are held, the queue returns no others.
    for (int i = 0; i < 5; ++i) {
        tools.send(dead, {{QStringLiteral("MessageBody"), QStringLiteral("bill %1").arg(i)},
                          {QStringLiteral("MessageGroupId"), QStringLiteral("customer 7")},
                          {QStringLiteral("MessageDeduplicationId"), QStringLiteral("bill-%1").arg(i)}});
    }
    support::CommandLineFixture fixture(support::sqsSecret);
    const QString url =
        QStringLiteral("sqs+http://%1@127.0.0.1:%2/?region=us-east-1").arg(support::sqsKeyId).arg(m_server.port());
    const support::Ended added =
        fixture.run(QStringLiteral("connection add shop %1 --environment development --error-queue %2").arg(url, dead));
    QVERIFY2(added.code == 0, added.words().constData());
    const support::Ended taken = fixture.run(QStringLiteral("intake --queue %1").arg(dead));
    QVERIFY2(taken.code == 0, taken.words().constData());
    QCOMPARE(taken.object().value(QLatin1String("taken")).toInt(), 5);
    const support::Ended retried = fixture.run(QStringLiteral("retry --all --wait"));
    QVERIFY2(retried.code == 0, retried.words().constData());
    QCOMPARE(retried.object().value(QLatin1String("sent")).toInt(), 5);
    const QList<QJsonObject> arrived = tools.drain(fifo);
    QCOMPARE(arrived.size(), 5);
    for (const QJsonObject &one : arrived) {
        QCOMPARE(one.value(QLatin1String("Attributes")).toObject().value(QLatin1String("MessageGroupId")).toString(),
                 QStringLiteral("customer 7"));
    }
}

REDRIVE_TEST(TestEndToEndSqs)
#include "tst_endtoend_sqs.moc"
