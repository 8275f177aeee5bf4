// The two headers by which a retry asks an endpoint to confirm: on brokers with headers, and packed into bodies.
#include "backend/dialect/confirmation.h"
#include "backend/dialect/dialect.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

namespace {

const QString uniqueId = QStringLiteral("00112233445566778899aabbccddeeff");
const QString dashed = QStringLiteral("00112233-4455-6677-8899-aabbccddeeff");
const QString nServiceBus = QStringLiteral("NServiceBus");

records::Envelope failedOnRabbit(const records::Headers &more = {})
{
    records::Envelope failed;
    failed.headers = records::Headers{{QStringLiteral("NServiceBus.FailedQ"), QStringLiteral("orders")},
                                      {QStringLiteral("NServiceBus.MessageId"), QStringLiteral("m")}}
                     + more;
    failed.body = "order";
    return failed;
}

QJsonObject packedHeadersOf(const QByteArray &body)
{
    return QJsonDocument::fromJson(body).object().value(QStringLiteral("Headers")).toObject();
}

QByteArray packedBody(const QJsonObject &more = {})
{
    QJsonObject headers{{QStringLiteral("NServiceBus.FailedQ"), QStringLiteral("orders")},
                        {QStringLiteral("NServiceBus.MessageId"), QStringLiteral("m")}};
    for (auto one = more.begin(); one != more.end(); ++one)
        headers.insert(one.key(), one.value());
    const QJsonObject whole{{QStringLiteral("Headers"), headers}, {QStringLiteral("Body"), QStringLiteral("b3JkZXI=")}};
    return QJsonDocument(whole).toJson(QJsonDocument::Compact);
}

} // namespace

class TestConfirmation final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theAnswerNamesTheRecord()
    {
        const records::Envelope failed = failedOnRabbit();
        const records::Envelope copy =
            dialect::askingEndpoint(failed, dialect::stripped(nServiceBus, failed), uniqueId, QStringLiteral("error"));
        QCOMPARE(records::text(copy.headers, dialect::confirmationIdHeader), dashed);
        QCOMPARE(records::text(copy.headers, dialect::confirmationQueueHeader), QStringLiteral("error"));
        QCOMPARE(copy.body, failed.body);
        // What an endpoint answers is read as the id of the record.
        dialect::Arrival answer;
        answer.envelope.headers = {
            {QStringLiteral("ServiceControl.Retry.Successful"), QStringLiteral("2026-01-02 03:04:05:000000 Z")},
            {dialect::confirmationIdHeader.toString(), records::text(copy.headers, dialect::confirmationIdHeader)}};
        QCOMPARE(dialect::read(answer).confirms, uniqueId);
    }

    void anOlderRequestIsReplaced()
    {
        const records::Envelope failed = failedOnRabbit(
            {{dialect::confirmationIdHeader.toString(), dashed},
             {dialect::confirmationQueueHeader.toString(), QStringLiteral("particular.servicecontrol")}});
        QCOMPARE(dialect::requestedId(failed), uniqueId);
        const records::Envelope copy = dialect::askingEndpoint(failed, failed, uniqueId, QStringLiteral("error"));
        QCOMPARE(copy.headers.size(), failed.headers.size());
        QCOMPARE(records::text(copy.headers, dialect::confirmationQueueHeader), QStringLiteral("error"));
        QCOMPARE(dialect::notAskingEndpoint(failed, copy).headers, failedOnRabbit().headers);
        QCOMPARE(dialect::requestedId(failedOnRabbit()), QString());
    }

    // SQS and Storage Queues: the framework reads its headers from the body.
    void packedHeadersGetItInTheBody_data()
    {
        QTest::addColumn<bool>("base64");
        QTest::newRow("SQS") << false;
        QTest::newRow("Storage Queues") << true;
    }

    void packedHeadersGetItInTheBody()
    {
        QFETCH(const bool, base64);
        const auto written = [base64](const QByteArray &json) { return base64 ? json.toBase64() : json; };
        const auto plain = [base64](const QByteArray &body) { return base64 ? QByteArray::fromBase64(body) : body; };
        records::Envelope failed;
        failed.properties = {{QStringLiteral("SentTimestamp"), QStringLiteral("1767323045000")}};
        failed.body = written(packedBody());
        records::Envelope content = dialect::stripped(nServiceBus, failed);
        content.properties.clear(); // as the broker does not get them back
        const records::Envelope copy = dialect::askingEndpoint(failed, content, uniqueId, QStringLiteral("error"));
        QVERIFY(copy.headers.isEmpty());
        const QJsonObject headers = packedHeadersOf(plain(copy.body));
        QCOMPARE(headers.value(dialect::confirmationIdHeader).toString(), dashed);
        QCOMPARE(headers.value(dialect::confirmationQueueHeader).toString(), QStringLiteral("error"));
        QCOMPARE(headers.value(QStringLiteral("NServiceBus.MessageId")).toString(), QStringLiteral("m"));
        QVERIFY(!headers.contains(QStringLiteral("NServiceBus.FailedQ")));
        QCOMPARE(dialect::notAskingEndpoint(failed, copy).body, content.body);

        // It comes back with the request in it, and is stripped to what was sent: the digest of the stamp matches.
        records::Envelope back = failed;
        back.body = written(packedBody({{dialect::confirmationIdHeader.toString(), dashed},
                                        {dialect::confirmationQueueHeader.toString(), QStringLiteral("error")}}));
        QCOMPARE(dialect::requestedId(back), uniqueId);
        QCOMPARE(dialect::stripped(nServiceBus, back).body, copy.body);
    }

    void onlyEndpointsThatKnowTheHeadersAreAsked()
    {
        QVERIFY(dialect::canAskEndpoint(nServiceBus, failedOnRabbit()));
        for (const char *other : {"Rebus", "MassTransit", "RabbitMQ", "unknown", "of a newer version"})
            QVERIFY2(!dialect::canAskEndpoint(QString::fromLatin1(other), failedOnRabbit()), other);
        // A confirmation that failed: the id in it belongs to the message that it confirms.
        QVERIFY(!dialect::canAskEndpoint(
            nServiceBus, failedOnRabbit({{QStringLiteral("ServiceControl.Retry.Successful"), QStringLiteral("now")}})));
    }

    void anIdThatIsNoGuidAsksNothing()
    {
        const records::Envelope failed = failedOnRabbit();
        QCOMPARE(dialect::askingEndpoint(failed, failed, QStringLiteral("x"), QStringLiteral("error")), failed);
        QCOMPARE(dialect::askingEndpoint(failed, failed, {}, QStringLiteral("error")), failed);
    }
};

REDRIVE_TEST(TestConfirmation)
#include "tst_confirmation.moc"
