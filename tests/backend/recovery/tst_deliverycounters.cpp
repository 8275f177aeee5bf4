// Which broker counts deliveries for all instances of a consumer, and what that does to the most attempts.
#include "backend/recovery/facts/deliverycounters.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::BrokerKind;
using recovery::AttemptBound;

class TestDeliveryCounters final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theTableOfNServiceBus_data();
    void theTableOfNServiceBus();
    void otherConsumersCountOtherwise_data();
    void otherConsumersCountOtherwise();
    void whatIsUnknownIsMultiplied();
    void theSentenceNamesBrokersAndCounters();
    void eachIsKnownOnce();

private:
    // The example of NServiceBus: 24 attempts, and 144 with six instances.
    [[nodiscard]] static AttemptBound boundOn(BrokerKind broker, const QString &dialect)
    {
        const recovery::AttemptPlan plan = recovery::planAttempts(recovery::Policy{}, 6);
        return boundsOf(plan, {broker}, dialect).constFirst();
    }
};

// "Affected transports" and "Unaffected transports".
void TestDeliveryCounters::theTableOfNServiceBus_data()
{
    QTest::addColumn<BrokerKind>("broker");
    QTest::addColumn<QString>("counter");
    QTest::addColumn<qint64>("attempts");
    QTest::newRow("Azure Storage Queues") << BrokerKind::AzureQueue << QString() << qint64{144};
    QTest::newRow("RabbitMQ") << BrokerKind::RabbitMq << QString() << qint64{144};
    QTest::newRow("Amazon SQS") << BrokerKind::Sqs << QString() << qint64{144};
    QTest::newRow("Azure Service Bus") << BrokerKind::ServiceBus << QStringLiteral("DeliveryCount") << qint64{24};
}

void TestDeliveryCounters::theTableOfNServiceBus()
{
    QFETCH(const BrokerKind, broker);
    QFETCH(const QString, counter);
    QFETCH(const qint64, attempts);
    const AttemptBound bound = boundOn(broker, QStringLiteral("NServiceBus"));
    QCOMPARE(bound.at.counter, counter);
    QCOMPARE(bound.attempts, attempts);
}

void TestDeliveryCounters::otherConsumersCountOtherwise_data()
{
    QTest::addColumn<BrokerKind>("broker");
    QTest::addColumn<QString>("dialect");
    QTest::addColumn<QString>("counter");
    QTest::newRow("Functions, Storage") << BrokerKind::AzureQueue << "Azure Functions"
                                        << "DequeueCount";
    QTest::newRow("Functions, Service Bus") << BrokerKind::ServiceBus << "Azure Functions"
                                            << "DeliveryCount";
    QTest::newRow("Lambda") << BrokerKind::Sqs << "Lambda"
                            << "ApproximateReceiveCount";
}

void TestDeliveryCounters::otherConsumersCountOtherwise()
{
    QFETCH(const BrokerKind, broker);
    QFETCH(const QString, dialect);
    QFETCH(const QString, counter);
    QCOMPARE(boundOn(broker, dialect).at.counter, counter);
    QCOMPARE(boundOn(broker, dialect).attempts, 24);
}

void TestDeliveryCounters::whatIsUnknownIsMultiplied()
{
    QCOMPARE(boundOn(BrokerKind::ServiceBus, QStringLiteral("Rebus")).attempts, 144);
    QVERIFY(boundOn(BrokerKind::ServiceBus, QStringLiteral("Rebus")).at.counter.isEmpty());
}

void TestDeliveryCounters::theSentenceNamesBrokersAndCounters()
{
    const recovery::AttemptPlan plan = recovery::planAttempts(recovery::Policy{}, 6);
    QCOMPARE(
        recovery::textOf(boundsOf(plan, recovery::allBrokers()), 6),
        QStringLiteral("6 instances of NServiceBus make up to 144 attempts on RabbitMQ, Storage Queues, Amazon SQS: "
                       "each instance counts for itself. 6 instances of NServiceBus make up to 24 attempts on "
                       "Service Bus (DeliveryCount): the broker counts for all."));
    QVERIFY(recovery::textOf(boundsOf(plan, {BrokerKind::ServiceBus}), 6)
                .startsWith(QStringLiteral("6 instances of "
                                           "NServiceBus make up "
                                           "to 24 ")));
}

void TestDeliveryCounters::eachIsKnownOnce()
{
    QSet<std::pair<int, QString>> seen;
    for (const recovery::DeliveryCounter &one : recovery::deliveryCounters()) {
        const std::pair place(int(one.broker), one.dialect);
        QVERIFY2(!seen.contains(place), qPrintable(one.dialect));
        seen.insert(place);
    }
}

REDRIVE_TEST(TestDeliveryCounters)
#include "tst_deliverycounters.moc"
