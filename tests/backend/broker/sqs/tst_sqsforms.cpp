#include "backend/broker/sqs/account.h"
#include "backend/broker/sqs/errormapping.h"
#include "backend/broker/sqs/messagemapper.h"
#include "backend/broker/sqs/sigv4.h"
#include "tests/support/fakeclock.h"

#include "backend/records/messages/stamp.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonDocument>
#include <QTest>

using namespace broker::sqs;
using broker::Verdict;
using core::ErrorKind;
using http::Response;

namespace {

const QByteArray exampleSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

http::Request requestTo(const char *url, const char *date, const char *target, const char *body)
{
    http::Request request;
    request.verb = "POST";
    request.url = QUrl(QString::fromLatin1(url));
    request.headers = {{"X-Amz-Target", target}, {"Content-Type", "application/x-amz-json-1.0"}, {"X-Amz-Date", date}};
    request.body = body;
    return request;
}

QByteArray signatureOf(const QByteArray &authorization)
{
    return authorization.mid(authorization.indexOf("Signature=") + 10);
}

records::Connection connectionTo(const char *url)
{
    records::Connection connection;
    connection.kind = records::BrokerKind::Sqs;
    connection.url = QUrl(QString::fromLatin1(url));
    return connection;
}

Response refusal(int status, const QByteArray &code, const QByteArray &message = {})
{
    return {status, {}, "{\"__type\":\"com.amazonaws.sqs#" + code + "\",\"message\":\"" + message + "\"}"};
}

QJsonObject json(const QByteArray &text)
{
    return QJsonDocument::fromJson(text).object();
}

broker::Outgoing outgoing(const QByteArray &body, const records::Headers &headers = {})
{
    broker::Outgoing message;
    message.uniqueId = QStringLiteral("0123456789abcdef0123456789abcdef");
    message.destination = QStringLiteral("orders");
    message.dedupId = QStringLiteral("0123456789abcdef0123456789abcdef-7-1");
    message.envelope.body = body;
    message.envelope.headers = headers;
    return message;
}

records::Headers headersOf(int count)
{
    records::Headers headers;
    for (int i = 0; i < count; ++i)
        headers.append({QStringLiteral("h%1").arg(i), QStringLiteral("x")});
    return headers;
}

} // namespace

class TestSqsForms final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSignatureIsTheVectors();
    void theSignatureIsThatOfTheDocumentation();
    void portAndTokenAreSigned();
    void secretsAreTakenAsTheyAreGiven_data();
    void secretsAreTakenAsTheyAreGiven();
    void credentialsSayWhenTheyEnd();
    void messagesAreRead();
    void attributesGoBackAsTheyCame();
    void anEditedAttributeHasTheTypeOfItsValue();
    void damagedMessagesAreTold();
    void whatSqsDoesNotCarryIsRejected_data();
    void whatSqsDoesNotCarryIsRejected();
    void thereMustBeRoomForTheStamp();
    void fifoQueuesGetGroupAndDeduplicationId();
    void aDelayIsCountedFromTheCall();
    void namesAreFoundInAddresses_data();
    void namesAreFoundInAddresses();
    void everyStatusHasItsMeaning_data();
    void everyStatusHasItsMeaning();
    void entriesHaveVerdictsOfTheirOwn();
    void aWrongClockIsNamed();
    void noSecretIsInAnError();
};

// Made with botocore.
void TestSqsForms::theSignatureIsTheVectors()
{
    const http::Request request =
        requestTo("https://sqs.us-east-1.amazonaws.com/", "20260102T030405Z", "AmazonSQS.ListQueues",
                  R"({"QueueNamePrefix":"orders","MaxResults":1000})");
    const SigningKey key{"AKIDEXAMPLE", exampleSecret, "us-east-1"};
    QCOMPARE(canonicalRequest(request),
             "POST\n/\n\ncontent-type:application/x-amz-json-1.0\nhost:sqs.us-east-1.amazonaws.com\n"
             "x-amz-date:20260102T030405Z\nx-amz-target:AmazonSQS.ListQueues\n\n"
             "content-type;host;x-amz-date;x-amz-target\n"
             "0ae1741891acab97f4de0199b65bafcf95015394d2e9eff86aeec667b307c2b8");
    QCOMPARE(stringToSign(request, key), "AWS4-HMAC-SHA256\n20260102T030405Z\n20260102/us-east-1/sqs/aws4_request\n"
                                         "0efbf7ed491b0364a998df5afda7bf63ca49049330ea72746588b4287a415176");
    QCOMPARE(authorization(request, key),
             "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260102/us-east-1/sqs/aws4_request, "
             "SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
             "Signature=efbf8a5e0912006f6cccf957a7b97808044b1de28b5217684708b7f65a913950");
}

// "get-vanilla" and "post-vanilla" of the test suite of Signature Version 4.
void TestSqsForms::theSignatureIsThatOfTheDocumentation()
{
    const SigningKey key{"AKIDEXAMPLE", exampleSecret, "us-east-1", "service"};
    http::Request request;
    request.url = QUrl(QStringLiteral("https://example.amazonaws.com/"));
    request.headers = {{"X-Amz-Date", "20150830T123600Z"}};
    QCOMPARE(signatureOf(authorization(request, key)),
             "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
    request.verb = "POST";
    QCOMPARE(signatureOf(authorization(request, key)),
             "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b");
}

// Made with @smithy/signature-v4.
void TestSqsForms::portAndTokenAreSigned()
{
    http::Request request = requestTo("http://127.0.0.1:4566/", "20260228T235959Z", "AmazonSQS.GetQueueUrl",
                                      "{\"QueueName\":\"b\xc3\xbcro\"}");
    request.headers.append(http::HeaderField{"X-Amz-Security-Token", "IQoJb3JpZ2luX2VjEXAMPLE//token+=="});
    const SigningKey key{"AKIDEXAMPLE", exampleSecret, "eu-west-1"};
    QCOMPARE(signatureOf(authorization(request, key)),
             "23b5b123a052659f3a97a1883f6a06538933916a41a870429338f0a585fab6a2");
    request.url = QUrl(QStringLiteral("http://[::1]:80/"));
    QVERIFY(canonicalRequest(request).contains("\nhost:[::1]:80\n")); // Qt sends the port that a URL names
    request.url = QUrl(QStringLiteral("http://[::1]/"));
    QVERIFY(canonicalRequest(request).contains("\nhost:[::1]\n"));
}

void TestSqsForms::secretsAreTakenAsTheyAreGiven_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("secret");
    QTest::addColumn<QByteArray>("keyId");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("token");
    const QString url = QStringLiteral("https://AKIA@sqs.eu-west-1.amazonaws.com/?region=eu-west-1");
    const QString bare = QStringLiteral("https://sqs.eu-west-1.amazonaws.com/?region=eu-west-1");
    QTest::newRow("key") << url << " a/b+c \n" << QByteArray("AKIA") << QByteArray("a/b+c") << QByteArray();
    QTest::newRow("id and key") << bare << "ASIA:s" << QByteArray("ASIA") << QByteArray("s") << QByteArray();
    QTest::newRow("id, key and token") << url << "ASIA:s:t/+=" << QByteArray("ASIA") << QByteArray("s")
                                       << QByteArray("t/+=");
    QTest::newRow("JSON") << url << R"({"AccessKeyId":"ASIA","SecretAccessKey":"s","SessionToken":"t"})"
                          << QByteArray("ASIA") << QByteArray("s") << QByteArray("t");
    QTest::newRow("JSON of STS") << bare << R"({"Credentials":{"AccessKeyId":"ASIA","SecretAccessKey":"s"}})"
                                 << QByteArray("ASIA") << QByteArray("s") << QByteArray();
    QTest::newRow("none") << url << "" << QByteArray("AKIA") << QByteArray() << QByteArray();
    for (const char *wrong : {"a b", "a\r\nX: y", "a:b:c:d", ":", "{", "{\"AccessKeyId\":\"ASIA\"}", "s\xc3\xbc"})
        QTest::newRow(wrong) << url << QString::fromUtf8(wrong) << QByteArray("unusable") << QByteArray()
                             << QByteArray();
    QTest::newRow("no id") << bare << "s" << QByteArray("unusable") << QByteArray() << QByteArray();
}

void TestSqsForms::secretsAreTakenAsTheyAreGiven()
{
    QFETCH(QString, url);
    QFETCH(QString, secret);
    QFETCH(QByteArray, keyId);
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, token);
    const Account account = Account::from(connectionTo(url.toLatin1().constData()), secret);
    QCOMPARE(account.base, QUrl(QStringLiteral("https://sqs.eu-west-1.amazonaws.com/")));
    QCOMPARE(account.region, "eu-west-1");
    QCOMPARE(account.unusable.isEmpty(), keyId != "unusable");
    if (!account.unusable.isEmpty())
        return;
    QCOMPARE(account.keyId, keyId);
    QCOMPARE(account.secret, key);
    QCOMPARE(account.sessionToken, token);
}

void TestSqsForms::credentialsSayWhenTheyEnd()
{
    const QString secret = QStringLiteral(
        R"({"AccessKeyId":"ASIA","SecretAccessKey":"s","SessionToken":"t","Expiration":"2026-01-02T03:04:05+00:00"})");
    const Account account = Account::from(connectionTo("https://h/?region=r"), secret);
    QCOMPARE(account.ends, std::optional(core::fromMs(1767323045000)));
    QVERIFY(!Account::from(connectionTo("https://a@h/?region=r"), QStringLiteral("s")).ends);
}

void TestSqsForms::messagesAreRead()
{
    const auto held = heldFrom(json(R"({"MessageId":"m","ReceiptHandle":"r","Body":"{\"a\":\"\u00fc\"}",
        "Attributes":{"SentTimestamp":"1767323045123","ApproximateReceiveCount":"6","MessageGroupId":"g",
        "DeadLetterQueueSourceArn":"arn:aws:sqs:eu-west-1:123456789012:orders"}})"));
    QVERIFY(held.has_value());
    QCOMPARE(held->nativeId, QStringLiteral("m"));
    QCOMPARE(held->settleToken, QStringLiteral("r"));
    QCOMPARE(held->envelope.body, "{\"a\":\"\xc3\xbc\"}");
    QCOMPARE(held->deliveryCount, std::optional(5));
    QCOMPARE(held->enqueuedAt, std::optional(core::fromMs(1767323045123)));
    QCOMPARE(held->origin, QStringLiteral("orders"));
    QVERIFY(!held->notFaithful);
    QCOMPARE(records::text(held->envelope.properties, u"MessageGroupId"), QStringLiteral("g"));
    QCOMPARE(records::text(held->envelope.properties, u"ApproximateReceiveCount"), QStringLiteral("6"));
}

void TestSqsForms::attributesGoBackAsTheyCame()
{
    const QByteArray attributes = R"({
        "text":{"DataType":"String","StringValue":"\u00fc \ud83d\udc07 1"},
        "digits":{"DataType":"String","StringValue":"7"},
        "json":{"DataType":"String.json","StringValue":"{}"},
        "int":{"DataType":"Number","StringValue":"-42"},
        "decimal":{"DataType":"Number","StringValue":"1.50"},
        "huge":{"DataType":"Number","StringValue":"12345678901234567890123456789012345678"},
        "custom":{"DataType":"Number.int","StringValue":"7"},
        "bytes":{"DataType":"Binary","BinaryValue":"AAEC/w=="},
        "picture":{"DataType":"Binary.png","BinaryValue":"iVBO"}})";
    const auto held = heldFrom(
        json("{\"MessageId\":\"m\",\"ReceiptHandle\":\"r\",\"Body\":\"b\",\"MessageAttributes\":" + attributes + "}"));
    QVERIFY(held.has_value() && !held->notFaithful);
    QCOMPARE(*records::find(held->envelope.headers, u"int"), QCborValue(-42));
    QCOMPARE(*records::find(held->envelope.headers, u"digits"), QCborValue(QStringLiteral("7")));
    QCOMPARE(*records::find(held->envelope.headers, u"decimal"), QCborValue(QStringLiteral("1.50")));
    QCOMPARE(*records::find(held->envelope.headers, u"bytes"), QCborValue(QByteArray("\0\1\2\xff", 4)));
    // As the store keeps them.
    broker::Outgoing message = outgoing("b");
    message.envelope.headers = *records::headersFromCbor(records::toCbor(held->envelope.headers));
    message.envelope.properties = *records::headersFromCbor(records::toCbor(held->envelope.properties));
    const auto entry = entryFrom(message, {});
    QVERIFY2(entry.has_value(), qPrintable(entry ? QString() : entry.error().message));
    QCOMPARE(entry->json.value(QLatin1String("MessageAttributes")).toObject(), json(attributes));
}

void TestSqsForms::anEditedAttributeHasTheTypeOfItsValue()
{
    broker::Outgoing message = outgoing("b", {{QStringLiteral("a"), QStringLiteral("text")}});
    message.envelope.properties = {{QStringLiteral("DataType.a"), QStringLiteral("Binary.png")}};
    const auto entry = entryFrom(message, {});
    QVERIFY(entry.has_value());
    const QJsonObject attributes = entry->json.value(QLatin1String("MessageAttributes")).toObject();
    QCOMPARE(attributes, json(R"({"a":{"DataType":"String","StringValue":"text"}})"));
}

void TestSqsForms::damagedMessagesAreTold()
{
    const QByteArray rest = ",\"MessageId\":\"m\",\"ReceiptHandle\":\"r\"}";
    QVERIFY(heldFrom(json("{\"Body\":\"b\",\"MD5OfBody\":\"92eb5ffee6ae2fec3ad71c777531578f\"" + rest))->notFaithful
            == false);
    QVERIFY(heldFrom(json("{\"Body\":\"c\",\"MD5OfBody\":\"92eb5ffee6ae2fec3ad71c777531578f\"" + rest))->notFaithful);
    for (const char *attribute : {R"({"DataType":"Binary","BinaryValue":"?"})", R"({"DataType":"Binary"})",
                                  R"({"StringValue":"x"})", R"("x")", R"({"DataType":"String"})"}) {
        const auto held =
            heldFrom(json("{\"Body\":\"b\",\"MessageAttributes\":{\"a\":" + QByteArray(attribute) + '}' + rest));
        QVERIFY2(held.has_value() && held->notFaithful, attribute);
    }
    for (const char *message :
         {R"({"MessageId":"m","ReceiptHandle":"r"})", R"({"MessageId":"m","ReceiptHandle":"r","Body":7})"}) {
        const auto held = heldFrom(json(message)); // what can be put back or removed is kept
        QVERIFY2(held.has_value() && held->notFaithful, message);
    }
    for (const char *message : {"{}", R"({"MessageId":"m","Body":"b"})"}) {
        const auto held = heldFrom(json(message));
        QVERIFY2(!held && held.error().kind == ErrorKind::Corrupt, message);
    }
}

void TestSqsForms::whatSqsDoesNotCarryIsRejected_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QCborValue>("header");
    QTest::addColumn<QString>("words");
    const QCborValue fine(QStringLiteral("x"));
    QTest::newRow("empty body") << QByteArray() << fine << "empty body";
    QTest::newRow("binary body") << QByteArray("\xff\xfe") << fine << "must be text";
    QTest::newRow("control character") << QByteArray("a\x01") << fine << "U+0001";
    QTest::newRow("no character") << QByteArray("\xef\xbf\xbf") << fine << "U+ffff";
    QTest::newRow("too large") << QByteArray(1024 * 1024, 'a') << fine << "at most 1048576";
    QTest::newRow("empty header") << QByteArray("b") << QCborValue(QString()) << "The header h is empty";
    QTest::newRow("empty bytes") << QByteArray("b") << QCborValue(QByteArray()) << "The header h is empty";
    QTest::newRow("truth") << QByteArray("b") << QCborValue(true) << "cannot carry";
    QTest::newRow("nothing") << QByteArray("b") << QCborValue(nullptr) << "cannot carry";
    QTest::newRow("list") << QByteArray("b") << QCborValue(QCborArray{1}) << "cannot carry";
}

void TestSqsForms::whatSqsDoesNotCarryIsRejected()
{
    QFETCH(QByteArray, body);
    QFETCH(QCborValue, header);
    QFETCH(QString, words);
    const auto entry = entryFrom(outgoing(body, {{QStringLiteral("h"), header}}), {});
    QVERIFY(!entry);
    QVERIFY(entry.error().kind == ErrorKind::Rejected);
    QVERIFY2(entry.error().message.contains(words), qPrintable(entry.error().message));
}

void TestSqsForms::thereMustBeRoomForTheStamp()
{
    const records::Header stamp{records::stampHeader.toString(), QStringLiteral("1;s;u;1;1;;d")};
    QVERIFY(entryFrom(outgoing("b", headersOf(9) + records::Headers{stamp}), {}).has_value());
    const auto full = entryFrom(outgoing("b", headersOf(10) + records::Headers{stamp}), {});
    QVERIFY(!full && full.error().kind == ErrorKind::Rejected);
    QVERIFY2(full.error().message.contains(QLatin1String("There is no room for")), qPrintable(full.error().message));
    const auto more = entryFrom(outgoing("b", headersOf(12)), {});
    QVERIFY(!more && more.error().message.contains(QLatin1String("would have 12 attributes")));
}

void TestSqsForms::fifoQueuesGetGroupAndDeduplicationId()
{
    broker::Outgoing message = outgoing("b");
    QVERIFY(!entryFrom(message, {})->json.contains(QLatin1String("MessageDeduplicationId")));
    QVERIFY(!entryFrom(message, {})->json.contains(QLatin1String("MessageGroupId")));
    message.destination = QStringLiteral("orders.fifo");
    QCOMPARE(entryFrom(message, {})->json.value(QLatin1String("MessageDeduplicationId")).toString(), message.dedupId);
    QCOMPARE(entryFrom(message, {})->json.value(QLatin1String("MessageGroupId")).toString(), message.uniqueId);
    records::set(message.envelope.properties, QStringLiteral("MessageGroupId"), QStringLiteral("customer 7"));
    records::set(message.envelope.properties, QStringLiteral("AWSTraceHeader"), QStringLiteral("Root=1"));
    const QJsonObject entry = entryFrom(message, {})->json;
    QCOMPARE(entry.value(QLatin1String("MessageGroupId")).toString(), QStringLiteral("customer 7"));
    QCOMPARE(entry.value(QLatin1String("MessageSystemAttributes")).toObject(),
             json(R"({"AWSTraceHeader":{"DataType":"String","StringValue":"Root=1"}})"));
}

void TestSqsForms::aDelayIsCountedFromTheCall()
{
    const core::TimePoint now = core::fromMs(1767323045250);
    const auto delaySeconds = [now](core::Milliseconds delay) {
        broker::Outgoing message = outgoing("b");
        message.deliverAt = now + delay;
        const auto entry = entryFrom(message, now);
        return entry ? entry->json.value(QLatin1String("DelaySeconds")) : QJsonValue(entry.error().message);
    };
    QCOMPARE(delaySeconds(std::chrono::seconds(90)), QJsonValue(90));
    QCOMPARE(delaySeconds(core::Milliseconds{1001}), QJsonValue(2)); // never too early
    QCOMPARE(delaySeconds(std::chrono::minutes(15)), QJsonValue(900));
    QCOMPARE(delaySeconds(std::chrono::hours(2)), QJsonValue(900)); // the clock was set back meanwhile
    QVERIFY(delaySeconds(core::Milliseconds{0}).isUndefined());
    QVERIFY(delaySeconds(-std::chrono::hours(1)).isUndefined()); // sent again after its time
    QVERIFY(!entryFrom(outgoing("b"), now)->json.contains(QLatin1String("DelaySeconds")));
    broker::Outgoing fifo = outgoing("b");
    fifo.destination = QStringLiteral("orders.fifo");
    fifo.deliverAt = now + std::chrono::seconds(10);
    const auto refused = entryFrom(fifo, now);
    QVERIFY(!refused && refused.error().kind == ErrorKind::Rejected);
    QVERIFY(longestDelayOf(QStringLiteral("orders")) == std::chrono::minutes(15));
    QVERIFY(longestDelayOf(fifo.destination) == core::Milliseconds{0});
}

void TestSqsForms::namesAreFoundInAddresses_data()
{
    QTest::addColumn<QString>("address");
    QTest::addColumn<QString>("name");
    QTest::newRow("ARN") << "arn:aws:sqs:eu-west-1:123456789012:orders_dlq.fifo"
                         << "orders_dlq.fifo";
    QTest::newRow("URL") << "https://sqs.eu-west-1.amazonaws.com/123456789012/orders-dlq"
                         << "orders-dlq";
    QTest::newRow("no name") << "https://host/123/"
                             << "";
    QTest::newRow("hostile") << "https://host/123/orders?x=1"
                             << "";
    QTest::newRow("too long") << QStringLiteral("arn:aws:sqs:r:1:") + QString(81, QLatin1Char('a')) << "";
    QTest::newRow("nothing") << ""
                             << "";
}

void TestSqsForms::namesAreFoundInAddresses()
{
    QFETCH(QString, address);
    QFETCH(QString, name);
    QCOMPARE(queueNameOf(address), name);
}

void TestSqsForms::everyStatusHasItsMeaning_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<Verdict>("verdict");
    const auto row = [](int status, const char *code, ErrorKind kind, Verdict verdict) {
        QTest::newRow(QByteArray(code + QByteArray::number(status)).constData())
            << status << QByteArray(code) << kind << verdict;
    };
    row(400, "QueueDoesNotExist", ErrorKind::NotFound, Verdict::NoSuchDestination);
    row(400, "AWS.SimpleQueueService.NonExistentQueue", ErrorKind::NotFound, Verdict::NoSuchDestination);
    row(400, "InvalidAddress", ErrorKind::NotFound, Verdict::NoSuchDestination);
    row(403, "SignatureDoesNotMatch", ErrorKind::Unauthorized, Verdict::NotSent);
    row(403, "InvalidClientTokenId", ErrorKind::Unauthorized, Verdict::NotSent);
    row(400, "UnrecognizedClientException", ErrorKind::Unauthorized, Verdict::NotSent);
    row(400, "ExpiredToken", ErrorKind::Unauthorized, Verdict::NotSent);
    row(403, "AccessDenied", ErrorKind::Unauthorized, Verdict::Full); // of this queue: others may take
    row(400, "AccessDeniedException", ErrorKind::Unauthorized, Verdict::Full);
    row(400, "KmsDisabled", ErrorKind::Transient, Verdict::Full);
    row(400, "RequestThrottled", ErrorKind::Throttled, Verdict::NotSent);
    row(400, "ThrottlingException", ErrorKind::Throttled, Verdict::NotSent);
    row(403, "OverLimit", ErrorKind::Throttled, Verdict::NotSent);
    row(429, "", ErrorKind::Throttled, Verdict::NotSent);
    row(503, "ServiceUnavailable", ErrorKind::Throttled, Verdict::NotSent);
    row(503, "", ErrorKind::Throttled, Verdict::Unknown); // of a gateway, perhaps after the request was sent
    row(400, "InvalidMessageContents", ErrorKind::Rejected, Verdict::Rejected);
    row(400, "InvalidParameterValue", ErrorKind::Rejected, Verdict::Rejected);
    row(400, "BatchRequestTooLong", ErrorKind::Rejected, Verdict::Rejected);
    row(413, "", ErrorKind::Rejected, Verdict::Rejected);
    row(408, "", ErrorKind::Transient, Verdict::Unknown);
    row(500, "InternalFailure", ErrorKind::Transient, Verdict::Unknown);
    row(500, "", ErrorKind::Transient, Verdict::Unknown);
    row(502, "", ErrorKind::Transient, Verdict::Unknown);
    row(302, "", ErrorKind::Rejected, Verdict::NotSent);
    row(204, "", ErrorKind::Rejected, Verdict::Unknown);
}

void TestSqsForms::everyStatusHasItsMeaning()
{
    QFETCH(int, status);
    QFETCH(QByteArray, code);
    QFETCH(ErrorKind, kind);
    QFETCH(Verdict, verdict);
    const Response answer = code.isEmpty() ? Response{status, {}, "<html>"} : refusal(status, code, "Words.");
    const core::Error error = errorOf(answer, QStringLiteral("It cannot be done"), core::fromMs(0));
    QVERIFY2(error.kind == kind, qPrintable(core::toString(error.kind)));
    QVERIFY(verdictOf(answer) == verdict);
    const QString words = code.isEmpty() ? QStringLiteral("It cannot be done (HTTP %1).").arg(status)
                                         : QStringLiteral("It cannot be done (HTTP %1): Words.").arg(status);
    QVERIFY2(error.message.startsWith(words), qPrintable(error.message));
    QCOMPARE(error.detail, QString::fromLatin1(code));
}

void TestSqsForms::entriesHaveVerdictsOfTheirOwn()
{
    QVERIFY(verdictOf(Fault{QStringLiteral("InvalidMessageContents"), {}}, true) == Verdict::Rejected);
    QVERIFY(verdictOf(Fault{QStringLiteral("InternalError"), {}}, false) == Verdict::Unknown);
    QVERIFY(verdictOf(Fault{QStringLiteral("Odd"), {}}, false) == Verdict::Unknown);
    QVERIFY(verdictOf(Fault{QStringLiteral("RequestThrottled"), {}}, false) == Verdict::NotSent);
    QVERIFY(verdictOf(Fault{QStringLiteral("KmsThrottled"), {}}, true) == Verdict::Full);
    QVERIFY(isLost(Fault{QStringLiteral("ReceiptHandleIsInvalid"), {}}));
    QVERIFY(isLost(Fault{QStringLiteral("AWS.SimpleQueueService.MessageNotInflight"), {}}));
    QVERIFY(isLost(Fault{QStringLiteral("InvalidParameterValue"),
                         QStringLiteral("Value x for parameter ReceiptHandle is invalid. Reason: The receipt handle "
                                        "has expired.")}));
    QVERIFY(!isLost(Fault{QStringLiteral("InvalidParameterValue"), QStringLiteral("Total VisibilityTimeout")}));
    QVERIFY(!isLost(Fault{QStringLiteral("InternalError"), {}}));
}

void TestSqsForms::aWrongClockIsNamed()
{
    Response answer = refusal(403, "SignatureDoesNotMatch", "Signature expired.");
    answer.headers = {{"Date", "Fri, 02 Jan 2026 03:04:05 GMT"}};
    const core::TimePoint theirs = core::fromMs(1767323045000);
    const QString what = QStringLiteral("It cannot be done");
    QVERIFY(errorOf(answer, what, theirs).message.contains(QLatin1String("Check the access key id")));
    QVERIFY(errorOf(answer, what, theirs + std::chrono::minutes{16})
                .message.contains(QLatin1String("16 minutes ahead of the service's")));
    QVERIFY(errorOf(answer, what, theirs - std::chrono::minutes{7})
                .message.contains(QLatin1String("7 minutes behind the service's")));
    QVERIFY(errorOf(refusal(403, "AccessDenied"), what, theirs)
                .message.contains(QLatin1String("The rights of the access key do not allow it.")));
}

void TestSqsForms::noSecretIsInAnError()
{
    const Response answer = refusal(
        403, "SignatureDoesNotMatch",
        R"(The request signature does not match.\n\nThe Canonical String for this request should have been\n'POST)"
        R"(\nx-amz-security-token:s3cret\n')");
    const core::Error error = errorOf(answer, QStringLiteral("It cannot be done"), core::fromMs(0));
    QVERIFY(error.message.contains(QLatin1String("does not match.")));
    QVERIFY2(!error.message.contains(QLatin1String("s3cret")), qPrintable(error.message));
}

REDRIVE_TEST(TestSqsForms)
#include "tst_sqsforms.moc"
