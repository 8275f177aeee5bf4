// Which numbers in headers may be AMQP decimals, and how large a message RabbitMQ's HTTP interface takes.
#include "backend/broker/rabbitmq/http/bodylimit.h"
#include "backend/broker/rabbitmq/http/messagecodec.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QTest>

namespace {

broker::ReceivedMessage received(const QCborValue &value)
{
    const QCborMap headers{{QStringLiteral("x"), value}};
    return broker::rabbitmq::heldFrom(
        QCborMap{{QStringLiteral("properties"), QCborMap{{QStringLiteral("headers"), headers}}},
                 {QStringLiteral("payload_bytes"), 0}});
}

} // namespace

class TestDecimals final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The API shows scale and value of a decimal with a point between them.
    void aNumberThatADecimalShowsAsIsInDoubt_data()
    {
        QTest::addColumn<QCborValue>("value");
        QTest::addColumn<bool>("maybe");
        QTest::newRow("3.14") << QCborValue(2.314) << true;
        QTest::newRow("0.05") << QCborValue(2.5) << true;
        QTest::newRow("zero of scale 2") << QCborValue(2.0) << true;
        QTest::newRow("largest") << QCborValue(255.4294967295) << true;
        QTest::newRow("in a table") << QCborValue(QCborMap{{QStringLiteral("a"), QCborArray{1, 0.5}}}) << true;
        QTest::newRow("negative") << QCborValue(-2.5) << false;
        QTest::newRow("minus zero") << QCborValue(-0.0) << false;
        QTest::newRow("scale over 255") << QCborValue(256.5) << false;
        QTest::newRow("value over 32 bits") << QCborValue(0.4294967296) << false;
        QTest::newRow("leading zero") << QCborValue(0.05) << false;
        QTest::newRow("many digits") << QCborValue(0.30000000000000004) << false;
        QTest::newRow("float 0.1 as a double") << QCborValue(0.10000000149011612) << false;
        QTest::newRow("exponent") << QCborValue(1e-7) << false;
        QTest::newRow("integer") << QCborValue(2) << false;
        QTest::newRow("text") << QCborValue(QStringLiteral("2.5")) << false;
    }
    void aNumberThatADecimalShowsAsIsInDoubt()
    {
        QFETCH(const QCborValue, value);
        QFETCH(const bool, maybe);
        const broker::ReceivedMessage held = received(value);
        QCOMPARE(held.maybeDecimals, maybe ? QStringList{QStringLiteral("x")} : QStringList());
        QVERIFY(held.lossyHeaders.isEmpty());
    }

    void newerVersionsTakeMore()
    {
        using broker::rabbitmq::mostBytesOf;
        QCOMPARE(mostBytesOf({}), mostBytesOf(QStringLiteral("3.10.8")));
        QVERIFY(mostBytesOf(QStringLiteral("3.13.7")) > mostBytesOf(QStringLiteral("3.10.8")));
        QCOMPARE(mostBytesOf(QStringLiteral("4.0.5")), mostBytesOf(QStringLiteral("3.13.7")));
    }

    void theLargestBodyFitsWithItsHeaders()
    {
        const qint64 most = broker::rabbitmq::mostBytesOf({});
        records::Envelope envelope;
        envelope.body = QByteArray(broker::rabbitmq::largestBodyIn(most), 'x');
        envelope.headers = {{QStringLiteral("x"), QString(32 * 1024, QLatin1Char('y'))}};
        QVERIFY(broker::rabbitmq::publishJson(envelope, QStringLiteral("orders")).size() <= most);
    }
};

REDRIVE_TEST(TestDecimals)
#include "tst_decimals.moc"
