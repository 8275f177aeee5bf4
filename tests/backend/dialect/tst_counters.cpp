// The retry counter of each framework: it is named, and it starts again on a retry.
#include "backend/dialect/counters.h"

#include "backend/dialect/dialect.h"
#include "backend/dialect/table.h"
#include "tests/support/testmain/testmain.h"

#include <QCborMap>
#include <QTest>

using records::Envelope;
using records::Headers;

namespace {

QString shown(const QList<records::HeaderChange> &changes)
{
    QStringList lines;
    for (const records::HeaderChange &change : changes)
        lines.append(QStringLiteral("%1: %2 -> %3")
                         .arg(change.name, change.before->toDiagnosticNotation(),
                              change.after ? change.after->toDiagnosticNotation() : QStringLiteral("removed")));
    return lines.join(QLatin1Char('\n'));
}

Envelope withHeader(const char *name, const QCborValue &value)
{
    Envelope envelope;
    envelope.headers = {{QString::fromLatin1(name), value}, {QStringLiteral("tenant"), 7}};
    envelope.body = "{\"id\": 1}";
    return envelope;
}

} // namespace

class TestCounters final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachStartsAgain_data();
    void eachStartsAgain();
    void whatIsNoCounterStays_data();
    void whatIsNoCounterStays();
    void theCountOfMassTransitIsInItsEnvelope();
    void packedCountersAreFound();
};

void TestCounters::eachStartsAgain_data()
{
    QTest::addColumn<QString>("dialect");
    QTest::addColumn<Envelope>("failed");
    QTest::addColumn<QString>("change");
    const auto add = [](const char *dialect, const char *name, const QCborValue &value, const char *after) {
        QTest::addRow("%s: %s", dialect, name)
            << QString::fromLatin1(dialect) << withHeader(name, value)
            << QStringLiteral("%1: %2 -> %3")
                   .arg(QString::fromLatin1(name), value.toDiagnosticNotation(), QString::fromLatin1(after));
    };
    const QString three = QStringLiteral("3");
    add("NServiceBus", "NServiceBus.Retries", three, "removed");
    add("NServiceBus", "NServiceBus.FLRetries", three, "removed");
    add("MassTransit", "MT-Redelivery-Count", 3, "removed");
    add("Rebus", "rbs2-defer-count", three, "removed");
    add("Rebus", "rbs2-delivery-count", three, "removed");
    add("Symfony Messenger", "X-Message-Stamp-Symfony\\Component\\Messenger\\Stamp\\RedeliveryStamp",
        QStringLiteral("[{\"retryCount\":3}]"), "removed");
    add("Wolverine", "attempts", three, "removed");
    add("Watermill", "_watermill_requeuer_retries", three, "removed");
    add("Spring Kafka", "retry_topic-attempts", 3, "removed");
    add("Spring AMQP", "retry-count", 3, "removed");
    add("Spring AMQP", "retry_count", 3, "0");
    add("Brighter", "HandledCount", 3, "0");
    add("Brighter", "handled-count", three, "\"0\"");
    add("Celery", "retries", 3, "0");
    // Dead-lettered by the broker, without another sign of the framework.
    add("RabbitMQ", "X-Custom-Retry-Count", 3, "0");
    add("RabbitMQ", "MT-Redelivery-Count", three, "\"0\"");
    add("RabbitMQ", "HandledCount", 3.0, "0.0");
    add("RabbitMQ", "retry-count", 3, "0");
    add("Service Bus", "x-retries", 3, "0");
    const QCborMap rascal{{QStringLiteral("recovery"), QCborMap{{QStringLiteral("q"), 3}}}};
    QTest::newRow("rascal") << QStringLiteral("rascal") << withHeader("rascal", rascal)
                            << QStringLiteral("rascal/recovery: {\"q\": 3} -> removed");
}

void TestCounters::eachStartsAgain()
{
    QFETCH(QString, dialect);
    QFETCH(Envelope, failed);
    QTEST(shown(dialect::resetCounters(dialect, failed)), "change");
    const Envelope sent = dialect::stripped(dialect, failed);
    QCOMPARE(shown(dialect::resetCounters(dialect, sent)), QString());
    QCOMPARE(records::text(sent.headers, u"tenant"), QStringLiteral("7"));
    QCOMPARE(sent.body, failed.body);
}

void TestCounters::whatIsNoCounterStays_data()
{
    QTest::addColumn<QCborValue>("value");
    QTest::newRow("zero") << QCborValue(0);
    QTest::newRow("zero as text") << QCborValue(QStringLiteral("0"));
    QTest::newRow("text") << QCborValue(QStringLiteral("never"));
    QTest::newRow("bool") << QCborValue(true);
    QTest::newRow("map") << QCborValue(QCborMap{{QStringLiteral("a"), 1}});
}

void TestCounters::whatIsNoCounterStays()
{
    QFETCH(QCborValue, value);
    const Envelope failed = withHeader("retry_count", value);
    QCOMPARE(shown(dialect::resetCounters(QStringLiteral("unknown"), failed)), QString());
    QCOMPARE(*records::find(dialect::stripped(QStringLiteral("unknown"), failed).headers, u"retry_count"), value);
}

// With its envelope, MassTransit reads headers from the body.
void TestCounters::theCountOfMassTransitIsInItsEnvelope()
{
    const QString dialect = QStringLiteral("MassTransit");
    Envelope failed;
    failed.body = "{ \"messageId\": \"m\",\n \"headers\": {\"x\": 1.0, \"MT-Redelivery-Count\": 2}, \"message\": "
                  "{\"MT-Redelivery-Count\": 5} }";
    QCOMPARE(shown(dialect::resetCounters(dialect, failed)),
             QStringLiteral("headers/MT-Redelivery-Count: 2 -> removed"));
    QCOMPARE(
        dialect::stripped(dialect, failed).body,
        QByteArray("{ \"messageId\": \"m\",\n \"headers\": {\"x\": 1.0}, \"message\": {\"MT-Redelivery-Count\": 5} }"));
    for (const char *body : {"{\"headers\": {\"MT-Redelivery-Count\": 2, \"MT-Redelivery-Count\": 3}}",
                             "{\"headers\": {\"MT-Redelivery-Count\": 2}", "<headers>MT-Redelivery-Count</headers>"}) {
        failed.body = body;
        QCOMPARE(dialect::stripped(dialect, failed).body, failed.body);
    }
}

// Brighter on SQS: the bag is JSON in an attribute.
void TestCounters::packedCountersAreFound()
{
    Envelope failed;
    failed.properties = {{QStringLiteral("ApproximateReceiveCount"), QStringLiteral("1")}};
    failed.headers = {{QStringLiteral("bag"), QStringLiteral("{\"HandledCount\":3}")}};
    QCOMPARE(shown(dialect::resetCounters(QStringLiteral("Brighter"), failed)), QStringLiteral("HandledCount: 3 -> 0"));
}

REDRIVE_TEST(TestCounters)
#include "tst_counters.moc"
