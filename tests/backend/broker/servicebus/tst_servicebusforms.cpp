#include "backend/broker/servicebus/errormapping.h"
#include "backend/broker/servicebus/messagemapper.h"
#include "backend/broker/servicebus/propertytext.h"
#include "backend/broker/servicebus/queuefeed.h"
#include "backend/broker/servicebus/sastoken.h"
#include "backend/broker/verdict.h"
#include "tests/support/fakeclock.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using broker::Verdict;
using core::ErrorKind;
using http::Response;


namespace {

const QByteArray ofProxy("<html><body><h1>upstream connect error</h1></body></html>");

QByteArray ofService(int status)
{
    return "<Error><Code>" + QByteArray::number(status) + "</Code><Detail>It is so.</Detail></Error>";
}

} // namespace

class TestServiceBusForms final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theTokenIsTheVectors();
    void everyStatusHasAKind_data();
    void everyStatusHasAKind();
    void everyStatusHasAVerdict_data();
    void everyStatusHasAVerdict();
    void aFullQueueIsToldFromOtherRefusals();
    void everyTransportErrorHasAVerdict_data();
    void everyTransportErrorHasAVerdict();
    void propertiesSurviveTheirText_data();
    void propertiesSurviveTheirText();
    void propertiesOfOthersAreReadLeniently_data();
    void propertiesOfOthersAreReadLeniently();
    void whatHasNoFormIsRefused();
    void onlyPlainNamesAreHeaders_data();
    void onlyPlainNamesAreHeaders();
    void noPropertyIsTakenForAnHttpHeader_data();
    void noPropertyIsTakenForAnHttpHeader();
    void theTimeOfAScheduledMessageIsRoundedUp();
    void theRecordedAnswerIsUnderstood();
    void aLockLastsAsLongAsTheServerSays_data();
    void aLockLastsAsLongAsTheServerSays();
    void damagedAnswersAreCorrupt_data();
    void damagedAnswersAreCorrupt();
    void feedsAreRead();
    void hostileFeedsDoNoHarm_data();
    void hostileFeedsDoNoHarm();
};

void TestServiceBusForms::theTokenIsTheVectors()
{
    // reference vector "sbsas"
    QCOMPARE(
        broker::sasToken(QStringLiteral("https://myns.servicebus.windows.net/orders"),
                         QStringLiteral("RootManageSharedAccessKey"), QStringLiteral("c2VjcmV0LWtleS1mb3ItdGVzdHM="),
                         1798761600),
        QByteArray("SharedAccessSignature sr=https%3A%2F%2Fmyns.servicebus.windows.net%2Forders"
                   "&sig=IO6o04zE9d6YcG6vmBllS43794Hc0B4Ov8qW72FwQOM%3D&se=1798761600&skn=RootManageSharedAccessKey"));
}

void TestServiceBusForms::everyStatusHasAKind_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("kind");
    const auto row = [&](int status, ErrorKind kind) {
        QTest::addRow("%d", status) << status << ofService(status) << core::toString(kind);
    };
    for (const int status : {404, 410}) // says nothing about a queue
        QTest::addRow("%d of a proxy", status) << status << ofProxy << core::toString(ErrorKind::Transient);
    row(302, ErrorKind::Rejected);
    row(400, ErrorKind::Rejected);
    row(401, ErrorKind::Unauthorized);
    row(403, ErrorKind::Throttled);
    row(404, ErrorKind::NotFound);
    row(405, ErrorKind::Rejected);
    row(408, ErrorKind::Transient);
    row(409, ErrorKind::Conflict);
    row(410, ErrorKind::NotFound);
    row(412, ErrorKind::Conflict);
    row(413, ErrorKind::Rejected);
    row(429, ErrorKind::Throttled);
    row(500, ErrorKind::Transient);
    row(502, ErrorKind::Transient);
    row(503, ErrorKind::Throttled);
    row(504, ErrorKind::Transient);
    QTest::newRow("403 too large") << 403
                                   << QByteArray(
                                          "<Error><Code>403</Code><Detail>The message is too large.</Detail></Error>")
                                   << core::toString(ErrorKind::Rejected);
}

void TestServiceBusForms::everyStatusHasAKind()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QString, kind);
    const support::FakeClock clock;
    const Response response{status, {{"Retry-After", "7"}}, body};
    const core::Error error = broker::serviceBusError(response, QStringLiteral("It failed"), clock.now());
    QCOMPARE(core::toString(error.kind), kind);
    QCOMPARE(error.retryAfter, core::Milliseconds{7000});
    QVERIFY(error.message.startsWith(QStringLiteral("It failed (HTTP %1)").arg(status)));
}

void TestServiceBusForms::everyStatusHasAVerdict_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("verdict");
    const auto row = [](int status, Verdict verdict) {
        QTest::addRow("%d", status) << status << ofService(status) << int(verdict);
    };
    row(201, Verdict::Accepted);
    for (const int status : {200, 202, 204, 206, 408, 500, 501, 502, 504, 599})
        row(status, Verdict::Unknown);
    for (const int status : {301, 302, 307, 401, 402, 403, 405, 407, 409, 429, 503})
        row(status, Verdict::NotSent);
    for (const int status : {400, 406, 411, 413, 414, 415, 431})
        row(status, Verdict::Rejected);
    for (const int status : {404, 410})
        row(status, Verdict::NoSuchDestination);
    // Only the service itself can say that a queue does not exist, or that nothing was taken.
    for (const QByteArray &body : {QByteArray(), ofProxy}) {
        QTest::addRow("503 of a gateway, %lld bytes", qint64{body.size()}) << 503 << body << int(Verdict::Unknown);
        QTest::addRow("404 of a proxy, %lld bytes", qint64{body.size()}) << 404 << body << int(Verdict::NotSent);
    }
}

void TestServiceBusForms::aFullQueueIsToldFromOtherRefusals()
{
    const auto verdictOf = [](const char *detail) {
        const QByteArray body = QByteArray("<Error><Code>403</Code><Detail>") + detail + "</Detail></Error>";
        return broker::serviceBusVerdict(Response{403, {}, body});
    };
    QVERIFY(verdictOf("QuotaExceeded: The queue sales is full.") == Verdict::Full);
    QVERIFY(verdictOf("The maximum entity size has been reached or exceeded for Queue: 'sales'.") == Verdict::Full);
    QVERIFY(verdictOf("The message is too large.") == Verdict::Rejected);
    QVERIFY(verdictOf("Access from this address is not allowed.") == Verdict::NotSent);
}

void TestServiceBusForms::everyStatusHasAVerdict()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(int, verdict);
    QCOMPARE(int(broker::serviceBusVerdict(Response{status, {}, body})), verdict);
}

void TestServiceBusForms::everyTransportErrorHasAVerdict_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("verdict");
    const auto row = [](ErrorKind kind, Verdict verdict) {
        QTest::newRow(qPrintable(core::toString(kind))) << int(kind) << int(verdict);
    };
    row(ErrorKind::Transient, Verdict::NotSent);
    row(ErrorKind::Throttled, Verdict::NotSent);
    row(ErrorKind::Rejected, Verdict::NotSent);
    row(ErrorKind::Cancelled, Verdict::Unknown);
    row(ErrorKind::Corrupt, Verdict::Unknown);
    row(ErrorKind::UnknownOutcome, Verdict::Unknown);
}

void TestServiceBusForms::everyTransportErrorHasAVerdict()
{
    QFETCH(int, kind);
    QFETCH(int, verdict);
    QCOMPARE(int(broker::verdictOf(core::Error{ErrorKind(kind), {}, {}, {}})), verdict);
}

void TestServiceBusForms::propertiesSurviveTheirText_data()
{
    QTest::addColumn<QCborValue>("value");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("text") << QCborValue(QStringLiteral("High")) << QByteArray("\"High\"");
    QTest::newRow("text of digits") << QCborValue(QStringLiteral("3")) << QByteArray("\"3\"");
    QTest::newRow("text of a bool") << QCborValue(QStringLiteral("true")) << QByteArray("\"true\"");
    QTest::newRow("quotes") << QCborValue(QStringLiteral("say \"hi\"")) << QByteArray("\"say \\\"hi\\\"\"");
    QTest::newRow("line break") << QCborValue(QStringLiteral("at A\r\nat B")) << QByteArray("\"at A\\r\\nat B\"");
    QTest::newRow("backslash") << QCborValue(QStringLiteral("C:\\new")) << QByteArray("\"C:\\\\new\"");
    QTest::newRow("empty") << QCborValue(QString()) << QByteArray("\"\"");
    QTest::newRow("integer") << QCborValue(3) << QByteArray("3");
    QTest::newRow("large integer") << QCborValue(std::numeric_limits<qint64>::min())
                                   << QByteArray("-9223372036854775808");
    QTest::newRow("whole double") << QCborValue(1.0) << QByteArray("1.0");
    QTest::newRow("double") << QCborValue(0.1) << QByteArray("0.1");
    QTest::newRow("bool") << QCborValue(true) << QByteArray("true");
}

void TestServiceBusForms::propertiesSurviveTheirText()
{
    QFETCH(QCborValue, value);
    QFETCH(QByteArray, text);
    QCOMPARE(*broker::propertyToText(value), text);
    QVERIFY(broker::propertyFromText(text) == value);
    QVERIFY(broker::propertyFromText(text).type() == value.type());
}

void TestServiceBusForms::propertiesOfOthersAreReadLeniently_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QCborValue>("value");
    QTest::newRow("azure-sb does not escape")
        << QByteArray("\"say \"hi\"\"") << QCborValue(QStringLiteral("say \"hi\""));
    QTest::newRow("bare word") << QByteArray("High") << QCborValue(QStringLiteral("High"));
    QTest::newRow("date") << QByteArray("\"Fri, 02 Jan 2026 03:04:05 GMT+0000\"")
                          << QCborValue(QStringLiteral("Fri, 02 Jan 2026 03:04:05 GMT+0000"));
    QTest::newRow("True of .NET") << QByteArray("True") << QCborValue(true);
    QTest::newRow("one quote") << QByteArray("\"") << QCborValue(QStringLiteral("\""));
    QTest::newRow("too large for an integer") << QByteArray("99999999999999999999") << QCborValue(1e20);
    QTest::newRow("not a number") << QByteArray("1-2") << QCborValue(QStringLiteral("1-2"));
    QTest::newRow("nothing") << QByteArray() << QCborValue(QString());
    QTest::newRow("utf-8") << QByteArray("\"\xc3\xbc\"") << QCborValue(QStringLiteral("\u00fc"));
}

void TestServiceBusForms::propertiesOfOthersAreReadLeniently()
{
    QFETCH(QByteArray, text);
    QFETCH(QCborValue, value);
    QVERIFY2(broker::propertyFromText(text) == value,
             qPrintable(broker::propertyFromText(text).toDiagnosticNotation()));
}

void TestServiceBusForms::whatHasNoFormIsRefused()
{
    for (const QCborValue &value :
         {QCborValue(QByteArray("x")), QCborValue(QCborArray{1}), QCborValue(QCborValue::Null)}) {
        QVERIFY(!broker::propertyToText(value));
        records::Envelope envelope;
        envelope.headers.append({QStringLiteral("h"), value});
        QVERIFY(!broker::fitsSingleForm(envelope));
        const auto member = broker::batchMember(envelope);
        QVERIFY(!member && member.error().kind == ErrorKind::Rejected);
    }
}

void TestServiceBusForms::onlyPlainNamesAreHeaders_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("possible");
    for (const char *name : {"Priority", "NServiceBus.ExceptionInfo.Message", "$.diagnostics.hostid", "Redrive-Stamp"})
        QTest::newRow(name) << QString::fromLatin1(name) << true;
    for (const char *name : {"", "Authorization", "CONTENT-TYPE", "Host", "with space", "a:b", "a\r\nInjected",
                             "Transfer-Encoding", "\xc3\xbc"})
        QTest::newRow(name) << QString::fromUtf8(name) << false;
}

void TestServiceBusForms::onlyPlainNamesAreHeaders()
{
    QFETCH(QString, name);
    QFETCH(bool, possible);
    QCOMPARE(broker::canBeHeaderName(name), possible);
}

void TestServiceBusForms::noPropertyIsTakenForAnHttpHeader_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("property");
    const auto row = [](const char *name, const char *text, bool property) {
        QTest::addRow("%s: %s", name, text) << QString::fromLatin1(name) << QByteArray(text) << property;
    };
    for (const char *name :
         {"Origin", "Referer", "Range", "Cookie", "Cache-Control", "If-Match", "Proxy-Note", "x-ms-own"}) {
        row(name, "\"of the sender\"", true);
        row(name, "of-a-proxy", false);
    }
    row("Priority", "3", true);
    for (const char *name : {"x-envoy-upstream-service-time", "X-Forwarded-For", "x-b3-traceid", "x-request-id"}) {
        row(name, "\"of the sender\"", true);
        row(name, "12", false);
    }
    for (const char *name : {"Content-Type", "Date", "Location", "Connection", "Trailer", "Accept-Ranges"})
        row(name, "\"quoted\"", false);
}

void TestServiceBusForms::noPropertyIsTakenForAnHttpHeader()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(bool, property);
    QCOMPARE(broker::isProperty(name, text), property);
}

void TestServiceBusForms::theTimeOfAScheduledMessageIsRoundedUp()
{
    const auto scheduled = [](qint64 ms) {
        records::Envelope envelope;
        broker::setScheduled(envelope, core::fromMs(ms));
        for (const http::HeaderField &field : broker::singleHeaders(envelope)) {
            if (field.name == "BrokerProperties")
                return QJsonDocument::fromJson(field.value)[QLatin1String("ScheduledEnqueueTimeUtc")].toString();
        }
        return QString();
    };
    QCOMPARE(scheduled(1767323045000), QStringLiteral("Fri, 02 Jan 2026 03:04:05 GMT"));
    QCOMPARE(scheduled(1767323045001), QStringLiteral("Fri, 02 Jan 2026 03:04:06 GMT"));
    records::Envelope envelope;
    broker::setScheduled(envelope, core::fromMs(1767323045000));
    const QJsonObject member = QJsonDocument::fromJson(*broker::batchMember(envelope)).object();
    QCOMPARE(member[QLatin1String("BrokerProperties")][QLatin1String("ScheduledEnqueueTimeUtc")].toString(),
             QStringLiteral("Fri, 02 Jan 2026 03:04:05 GMT"));
}

void TestServiceBusForms::theRecordedAnswerIsUnderstood()
{
    // Recorded from the live service (protocols.md A.2).
    const Response response{
        201,
        {{"location", "https://ns.servicebus.windows.net/sbqueue16/messages/1/968cf52d-8b79-476e-ad18-7f80fd738b54"},
         {"brokerproperties",
          R"({"DeliveryCount":1,"EnqueuedSequenceNumber":0,"EnqueuedTimeUtc":"Sat, 25 Oct 2014 00:56:52 GMT",)"
          R"("LockToken":"968cf52d-8b79-476e-ad18-7f80fd738b54","LockedUntilUtc":"Sat, 25 Oct 2014 00:57:52 GMT",)"
          R"("MessageId":"625042ba","SequenceNumber":1,"State":"Active","TimeToLive":922337203685.47754})"},
         {"server", "Microsoft-HTTPAPI/2.0"},
         {"Priority", "\"High\""},
         {"DeadLetterReason", "\"InvalidJson\""}},
        "body"};
    const auto held = broker::heldFrom(response, QStringLiteral("sbqueue16/$DeadLetterQueue"));
    QVERIFY(held.has_value());
    QCOMPARE(held->nativeId, QStringLiteral("1@1414198612")); // the 25th of October 2014, 00:56:52
    QCOMPARE(held->deliveryCount, std::optional(1));
    QCOMPARE(held->origin, QStringLiteral("sbqueue16"));
    QCOMPARE(held->settleToken, QStringLiteral("/sbqueue16/messages/1/968cf52d-8b79-476e-ad18-7f80fd738b54"));
    QCOMPARE(records::text(held->envelope.properties, u"MessageId"), QStringLiteral("625042ba"));
    QCOMPARE(records::find(held->envelope.properties, u"TimeToLive"), nullptr); // for ever
    QCOMPARE(held->envelope.headers.size(), 2);
    QCOMPARE(records::text(held->envelope.headers, u"DeadLetterReason"), QStringLiteral("InvalidJson"));
    QCOMPARE(broker::lockLeft(response, *held->enqueuedAt, core::Milliseconds{1}), core::Milliseconds{60000});
}

void TestServiceBusForms::aLockLastsAsLongAsTheServerSays_data()
{
    QTest::addColumn<QByteArray>("until");
    QTest::addColumn<QByteArray>("date");
    QTest::addColumn<int>("seconds");
    const QByteArray at = "Sat, 25 Oct 2014 00:57:52 GMT";
    QTest::newRow("both are told") << at << QByteArray("Sat, 25 Oct 2014 00:56:52 GMT") << 60;
    QTest::newRow("no end is told") << QByteArray() << QByteArray("Sat, 25 Oct 2014 00:56:52 GMT") << 30;
    QTest::newRow("no time is told") << at << QByteArray() << 20; // by the clock of this machine
    QTest::newRow("it has ended") << at << QByteArray("Sat, 25 Oct 2014 01:00:00 GMT") << 0;
    QTest::newRow("longer than any") << at << QByteArray("Sat, 25 Oct 2003 00:56:52 GMT") << 300;
}

// This machine's clock is hours ahead of the server's, or not.
void TestServiceBusForms::aLockLastsAsLongAsTheServerSays()
{
    QFETCH(QByteArray, until);
    QFETCH(QByteArray, date);
    QFETCH(int, seconds);
    Response response{201, {{"brokerproperties", "{\"LockedUntilUtc\":\"" + until + "\"}"}}, {}};
    if (!date.isEmpty())
        response.headers.append({"Date", date});
    const core::TimePoint now = core::fromMs(1'414'198'672'000) - std::chrono::seconds(20); // 00:57:32
    const core::Milliseconds left = broker::lockLeft(response, now, std::chrono::seconds(30));
    QCOMPARE(left, core::Milliseconds{std::chrono::seconds(seconds)});
}

void TestServiceBusForms::damagedAnswersAreCorrupt_data()
{
    QTest::addColumn<QByteArray>("properties");
    QTest::newRow("absent") << QByteArray();
    QTest::newRow("not JSON") << QByteArray("{\"a");
    QTest::newRow("a list") << QByteArray("[]");
    QTest::newRow("no number") << QByteArray("{}");
    QTest::newRow("number is text") << QByteArray(R"({"SequenceNumber":"x"})");
    QTest::newRow("number is negative") << QByteArray(R"({"SequenceNumber":-1})");
    QTest::newRow("deep") << QByteArray(5000, '[');
}

void TestServiceBusForms::damagedAnswersAreCorrupt()
{
    QFETCH(QByteArray, properties);
    const auto held = broker::heldFrom(Response{201, {{"BrokerProperties", properties}}, "b"}, QStringLiteral("q"));
    QVERIFY(!held && held.error().kind == ErrorKind::Corrupt);
}

void TestServiceBusForms::feedsAreRead()
{
    const QByteArray entry =
        "<entry xml:base=\"https://NS/\"><id>https://NS/team/orders?api-version=2021-05</id><title "
        "type=\"text\">x</title>"
        "<content type=\"application/xml\"><QueueDescription "
        "xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\">"
        "<RequiresDuplicateDetection>true</RequiresDuplicateDetection><RequiresSession>false</RequiresSession>"
        "<SizeInBytes>2048</SizeInBytes><MessageCount>5</MessageCount>"
        "<CountDetails "
        "xmlns:d2p1=\"http://schemas.microsoft.com/netservices/2011/06/servicebus\"><d2p1:ActiveMessageCount>3</"
        "d2p1:ActiveMessageCount>"
        "<d2p1:DeadLetterMessageCount>2</d2p1:DeadLetterMessageCount></CountDetails></QueueDescription></content></"
        "entry>";
    const auto queues =
        broker::queuesFromAtom("<feed xmlns=\"http://www.w3.org/2005/Atom\"><id>https://NS/$Resources/Queues</id>"
                               + entry + entry + "</feed>");
    QVERIFY(queues.has_value());
    QCOMPARE(queues->size(), 2);
    const broker::FeedQueue &queue = queues->constFirst();
    QCOMPARE(queue.name, QStringLiteral("team/orders"));
    QCOMPARE(queue.active, 3);
    QCOMPARE(queue.deadLetter, 2);
    QVERIFY(queue.duplicateDetection);
    QCOMPARE(broker::queuesFromAtom(
                 "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Publicly Listed Services</title></feed>")
                 ->size(),
             0);
}

void TestServiceBusForms::hostileFeedsDoNoHarm_data()
{
    QTest::addColumn<QByteArray>("xml");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("html") << QByteArray("<html><body>Sign in");
    QTest::newRow("entities") << QByteArray(
        "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">"
        "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;\">"
        "]><feed><entry><id>&d;&d;&d;&d;&d;&d;</id>");
    QTest::newRow("cut") << QByteArray("<feed><entry><id>https://NS/q</id><content><QueueDescription>");
    QTest::newRow("binary") << QByteArray("\x00\xff\xfe", 3);
}

void TestServiceBusForms::hostileFeedsDoNoHarm()
{
    QFETCH(QByteArray, xml);
    const auto queues = broker::queuesFromAtom(xml);
    QVERIFY(!queues && queues.error().kind == ErrorKind::Corrupt);
}

REDRIVE_TEST(TestServiceBusForms)
#include "tst_servicebusforms.moc"
