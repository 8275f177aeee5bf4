// Where our stamp has no room, the message goes without it.
#include "backend/broker/brokertraits.h"
#include "backend/retry/outgoing.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::BrokerKind;

namespace {

records::Envelope withHeaders(int count, qsizetype bodyBytes)
{
    records::Envelope envelope;
    for (int i = 0; i < count; ++i)
        envelope.headers.append({QStringLiteral("h%1").arg(i), QStringLiteral("v")});
    envelope.body = QByteArray(bodyBytes, 'x');
    return envelope;
}

bool isStamped(BrokerKind to, const records::Envelope &content)
{
    records::Stamp stamp;
    stamp.store = QStringLiteral("0123456789abcdef");
    stamp.uniqueId = QString(32, QLatin1Char('a'));
    stamp.operation = core::OperationId{1};
    stamp.attempt = 1;
    const records::Envelope sent = retry::stampedIfItFits(to, content, stamp);
    const bool has = records::stampOf(sent.headers).has_value();
    return has || sent != content; // a copy without a stamp is the message itself
}

} // namespace

class TestOutgoing final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aMessageAsLargeAsItsBrokerAllowsGoesWithoutAStamp()
    {
        QVERIFY(isStamped(BrokerKind::Sqs, withHeaders(9, 100)));
        QVERIFY(!isStamped(BrokerKind::Sqs, withHeaders(10, 100)));
        const qint64 most = broker::traitsOf(BrokerKind::Sqs).largestMessage;
        QVERIFY(!isStamped(BrokerKind::Sqs, withHeaders(0, most)));
        QVERIFY(isStamped(BrokerKind::Sqs, withHeaders(0, most - 2000)));
    }

    void whereNothingIsLimitedEveryMessageIsStamped()
    {
        QVERIFY(isStamped(BrokerKind::RabbitMq, withHeaders(40, 3 * 1024 * 1024)));
        QVERIFY(isStamped(BrokerKind::ServiceBus, withHeaders(40, 100)));
    }

    // The stamp counts more: without it, nobody knows the message again.
    void theEndpointIsAskedWhereTheStampHasRoomToo()
    {
        records::Stamp stamp;
        stamp.uniqueId = QString(32, QLatin1Char('a'));
        const auto asks = [&stamp](BrokerKind to, const records::Envelope &content) {
            return retry::askingIfItFits(to, content, content, stamp, QStringLiteral("error")) != content;
        };
        QVERIFY(asks(BrokerKind::Sqs, withHeaders(7, 100)));
        QVERIFY(!asks(BrokerKind::Sqs, withHeaders(8, 100)));
        const qint64 most = broker::traitsOf(BrokerKind::Sqs).largestMessage;
        QVERIFY(!asks(BrokerKind::Sqs, withHeaders(0, most - 200)));
        QVERIFY(asks(BrokerKind::RabbitMq, withHeaders(40, 3 * 1024 * 1024)));
    }

    // SQS refuses the whole message for a name that it does not allow.
    void theApplicationsCounterGoesWhereItsNameIsAllowed_data()
    {
        QTest::addColumn<BrokerKind>("to");
        QTest::addColumn<QString>("counter");
        QTest::addColumn<bool>("goes");
        const auto row = [](BrokerKind to, const char *counter, bool goes) {
            QTest::addRow("%d %s", int(to), counter) << to << QString::fromLatin1(counter) << goes;
        };
        row(BrokerKind::Sqs, "X-Custom.Retry_Count2", true);
        for (const char *name : {"X:Count", ".Count", "Count.", "X..Count", "aws.count", "Amazon.Count"}) {
            row(BrokerKind::Sqs, name, false);
            row(BrokerKind::RabbitMq, name, true);
            row(BrokerKind::ServiceBus, name, true);
            row(BrokerKind::AzureQueue, name, false);
        }
    }
    void theApplicationsCounterGoesWhereItsNameIsAllowed()
    {
        QFETCH(const BrokerKind, to);
        QFETCH(const QString, counter);
        QFETCH(const bool, goes);
        const records::Envelope counted = retry::withApplicationCount(to, {}, {}, counter);
        QCOMPARE(records::find(counted.headers, counter) != nullptr, goes);
        QCOMPARE(broker::carriesHeader(to, counter), goes);
    }
};

REDRIVE_TEST(TestOutgoing)
#include "tst_outgoing.moc"
