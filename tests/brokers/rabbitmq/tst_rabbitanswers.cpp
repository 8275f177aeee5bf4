#include "backend/broker/rabbitmq/http/answers.h"
#include "backend/broker/rabbitmq/http/json.h"
#include "backend/broker/rabbitmq/http/messagecodec.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QTest>

using broker::Verdict;

namespace {

const core::TimePoint now = core::fromMs(1767323045000); // Fri, 02 Jan 2026 03:04:05 GMT

} // namespace

// What an answer to a publish says about the message.
class TestRabbitAnswers final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noCredentialIsInAnError();
    void aWishToWaitIsReadInBothForms_data();
    void aWishToWaitIsReadInBothForms();
    void eachAnswerHasItsVerdict_data();
    void eachAnswerHasItsVerdict();
    void anEndOfTheConnectionSaysNothingAboutAQueue_data();
    void anEndOfTheConnectionSaysNothingAboutAQueue();
    void anExclusiveQueueIsNamed();
    void anObjectOfManyFieldsKeepsThem();
    void whatIsNestedTooDeepIsText();
    void anIdOfAmqp10ThatIsNoLongerOneIsLossy();
    void onlyRabbitMqItselfSaysThatSomethingIsMissing_data();
    void onlyRabbitMqItselfSaysThatSomethingIsMissing();
};

void TestRabbitAnswers::eachAnswerHasItsVerdict_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("verdict");
    const auto row = [](const char *name, int status, const QByteArray &body, Verdict verdict) {
        QTest::newRow(name) << status << body << int(verdict);
    };
    const auto refusal = [](const QByteArray &reason) {
        return QByteArray(R"({"error":"bad_request","reason":")") + reason + R"("})";
    };
    row("routed", 200, R"({"routed":true})", Verdict::Accepted);
    row("not routed", 200, R"({"routed":false})", Verdict::NoSuchDestination);
    row("not readable", 200, "<html>", Verdict::Unknown);
    row("a bad property", 400, refusal("406 PRECONDITION_FAILED - invalid expiration"), Verdict::Rejected);
    row("no exchange", 400, refusal("404 NOT_FOUND - no exchange 'x' in vhost '/'"), Verdict::NotSent);
    row("too large", 400, refusal("311 CONTENT_TOO_LARGE"), Verdict::Rejected);
    row("nacked", 400, refusal("rejected"), Verdict::Full);
    row("nacked by a full queue", 400, refusal("rejected Unable to publish message. Check queue limits."),
        Verdict::Full);
    row("not JSON", 400, refusal("{json,\\\"x\\\"}"), Verdict::Rejected);
    // The channel ended after the publish: the message may be in its queue.
    row("connection closed by an operator", 400, refusal("320 CONNECTION_FORCED - closed"), Verdict::Unknown);
    row("internal error", 400, refusal("541 INTERNAL_ERROR"), Verdict::Unknown);
    row("node goes down", 500, "{}", Verdict::Unknown);
    row("too many requests", 429, "{}", Verdict::NotSent);
    row("sent elsewhere", 302, "", Verdict::NotSent);
    row("a success of somebody else", 204, "", Verdict::Unknown);
}

void TestRabbitAnswers::eachAnswerHasItsVerdict()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(int, verdict);
    http::Response response;
    response.status = status;
    response.body = body;
    const broker::SendOutcome outcome = broker::rabbitmq::outcomeFor(response, QStringLiteral("orders"), now);
    QCOMPARE(int(outcome.verdict), verdict);
    QCOMPARE(outcome.error.message.isEmpty(), outcome.verdict == Verdict::Accepted);
}

// Its own connection to itself, as when a node stops. What is about the request stays what it is.
void TestRabbitAnswers::anEndOfTheConnectionSaysNothingAboutAQueue_data()
{
    QTest::addColumn<QByteArray>("reason");
    QTest::addColumn<core::ErrorKind>("kind");
    QTest::newRow("closed by an operator")
        << QByteArray("320 CONNECTION_FORCED - broker forced connection closure") << core::ErrorKind::Transient;
    QTest::newRow("internal error") << QByteArray("541 INTERNAL_ERROR") << core::ErrorKind::Transient;
    QTest::newRow("no queue") << QByteArray("404 NOT_FOUND - no queue 'orders' in vhost '/'")
                              << core::ErrorKind::NotFound;
    QTest::newRow("exclusive") << QByteArray("405 RESOURCE_LOCKED - cannot obtain exclusive access to locked queue")
                               << core::ErrorKind::Rejected;
}

void TestRabbitAnswers::anEndOfTheConnectionSaysNothingAboutAQueue()
{
    QFETCH(const QByteArray, reason);
    QFETCH(const core::ErrorKind, kind);
    http::Response response;
    response.status = 400;
    response.body = R"({"error":"bad_request","reason":")" + reason + R"("})";
    QVERIFY(broker::rabbitmq::errorFor(response, QStringLiteral("the binding to orders"), now).kind == kind);
}

// RabbitMQ 3.10 refuses a binding and the reading of a queue of another connection in these words.
void TestRabbitAnswers::anExclusiveQueueIsNamed()
{
    const QByteArray locked = "cannot obtain exclusive access to locked queue 'mine' in vhost '/'. It could be "
                              "originally declared on another connection";
    for (const QByteArray &reason : {locked, "405 RESOURCE_LOCKED - " + locked}) {
        http::Response response;
        response.status = 400;
        response.body = R"({"error":"bad_request","reason":")" + reason + R"("})";
        const core::Error error = broker::rabbitmq::errorFor(response, QStringLiteral("queue mine"), now);
        QVERIFY(error.kind == core::ErrorKind::Rejected);
        QVERIFY(error.message.contains(QLatin1String("program that declared queue mine can use it")));
    }
}

// With their kinds; of several with one name the last value counts.
void TestRabbitAnswers::anObjectOfManyFieldsKeepsThem()
{
    constexpr int many = 16000; // as QCborMap inserts them this takes seconds
    QByteArray json = R"({"first":1.0,"twice":1)";
    for (int i = 0; i < many; ++i)
        json += ",\"h" + QByteArray::number(i) + "\":[" + QByteArray::number(i) + "]";
    json += R"(,"twice":2,"last":null})";
    const core::Result<QCborValue> parsed = broker::rabbitmq::parseJson(json);
    QVERIFY(parsed);
    const QCborMap map = parsed->toMap();
    QCOMPARE(map.size(), many + 3);
    QVERIFY(map.value(QLatin1String("first")).isDouble());
    QCOMPARE(map.value(QLatin1String("twice")).toInteger(), 2);
    QCOMPARE(map.value(QLatin1String("h15999")).toArray().first().toInteger(), 15999);
    QVERIFY(map.value(QLatin1String("last")).isNull());
    const core::Result<QCborValue> marked =
        broker::rabbitmq::parseJson(json.chopped(1) + ",\"mark\":\"\xEF\xBB\xBF<xml/>\"}");
    QVERIFY(marked);
    QCOMPARE(marked->toMap().size(), many + 4);
    QCOMPARE(marked->toMap().value(QLatin1String("mark")).toString(), QString(QChar(0xFEFF)) + QLatin1String("<xml/>"));
}

// One hostile header hides neither the other headers nor the other messages of its page.
void TestRabbitAnswers::whatIsNestedTooDeepIsText()
{
    for (const int depth : {10, 70, 5000}) {
        const QByteArray inner = R"({"a":[1,-2.50,"x\"y",null,true],"b":{}})";
        const QByteArray deep = QByteArray(R"({"k":[)").repeated(depth) + inner + QByteArray("]}").repeated(depth);
        const auto read = broker::rabbitmq::parseJson(R"([{"headers":{"deep":)" + deep + R"(,"n":7}},{"next":1}])");
        QVERIFY(read.has_value());
        const QCborArray items = read->toArray();
        QCOMPARE(items.size(), 2);
        const QCborMap headers = items.at(0).toMap().value(QLatin1String("headers")).toMap();
        QCOMPARE(headers.value(QLatin1String("n")).toInteger(), 7);
        QCborValue value = headers.value(QLatin1String("deep"));
        while (value.toMap().contains(QLatin1String("k"))) {
            value = value.toMap().value(QLatin1String("k"));
            value = value.isArray() ? QCborValue(value.toArray().at(0)) : value;
        }
        QCOMPARE(value.isString(), depth > 10);
        if (depth > 10) {
            const QString text = value.toString();
            QVERIFY(text.startsWith(broker::rabbitmq::tooDeep));
            QVERIFY(text.contains(QString::fromUtf8(inner)));
            const QByteArray json = text.mid(broker::rabbitmq::tooDeep.size()).toUtf8();
            QVERIFY(deep.contains(json)); // nothing of it is lost
        }
        // It cannot be sent back as it was.
        const broker::ReceivedMessage held = broker::rabbitmq::heldFrom(
            QCborMap{{QStringLiteral("properties"), QCborMap{{QStringLiteral("headers"), headers}}}});
        QCOMPARE(held.lossyHeaders, depth > 10 ? QStringList{QStringLiteral("deep")} : QStringList());
    }
}

// RabbitMQ 4 shows an id over 255 bytes as a header, and makes no id of it again.
void TestRabbitAnswers::anIdOfAmqp10ThatIsNoLongerOneIsLossy()
{
    const QString name = QStringLiteral("x-message-id");
    const auto held = [&name](qsizetype length, const QCborMap &properties) {
        QCborMap all = properties;
        all.insert(QStringLiteral("headers"), QCborMap{{name, QString(length, u'i')}});
        return broker::rabbitmq::heldFrom({{QStringLiteral("properties"), all}, {QStringLiteral("payload_bytes"), 0}})
            .lossyHeaders;
    };
    QCOMPARE(held(256, {}), QStringList(name));
    QCOMPARE(held(255, {}), QStringList());
    QCOMPARE(held(256, {{QStringLiteral("message_id"), QStringLiteral("7")}}), QStringList());
}

void TestRabbitAnswers::onlyRabbitMqItselfSaysThatSomethingIsMissing_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("missing");
    QTest::newRow("RabbitMQ") << QByteArray(R"({"error":"Object Not Found","reason":"Not Found"})") << true;
    QTest::newRow("no queue to bind") << QByteArray(R"({"error":"not_found","reason":"no queue 'x' in vhost '/'"})")
                                      << true;
    QTest::newRow("node down") << QByteArray(
        R"({"error":"bad_request","reason":"home node 'rabbit@b' of queue 'x' is down"})")
                               << false;
    QTest::newRow("page of a proxy") << QByteArray("<html><body>404 Not Found</body></html>") << false;
    QTest::newRow("words of a proxy") << QByteArray("404 page not found\n") << false;
    QTest::newRow("another server's JSON")
        << QByteArray(R"({"message":"no Route matched with those values"})") << false;
    QTest::newRow("nothing") << QByteArray() << false;
}

void TestRabbitAnswers::onlyRabbitMqItselfSaysThatSomethingIsMissing()
{
    QFETCH(QByteArray, body);
    QFETCH(bool, missing);
    http::Response response;
    response.status = 404;
    response.body = body;
    const core::Error error = broker::rabbitmq::errorFor(response, QStringLiteral("queue x"), now);
    QCOMPARE(core::toString(error.kind),
             core::toString(missing ? core::ErrorKind::NotFound : core::ErrorKind::Transient));
}

// What stands before the broker may repeat what it was sent.
void TestRabbitAnswers::noCredentialIsInAnError()
{
    http::Response response;
    response.status = 400;
    response.body =
        R"({"error":"bad_request","reason":"amqp://ops:hunter2@mq/ password=hunter2 Basic aHVudGVyMg== refused"})";
    const core::Error error = broker::rabbitmq::errorFor(response, QStringLiteral("queue x"), now);
    QVERIFY2(error.message.contains(u"refused"), qPrintable(error.message));
    for (const QString &text : {error.message, error.detail})
        QVERIFY2(!text.contains(u"hunter2") && !text.contains(u"aHVudGVyMg"), qPrintable(text));
}

void TestRabbitAnswers::aWishToWaitIsReadInBothForms_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<int>("seconds");
    QTest::newRow("seconds") << QByteArray("90") << 90;
    QTest::newRow("two hours") << QByteArray("7200") << 7200;
    QTest::newRow("date") << QByteArray("Fri, 02 Jan 2026 03:06:05 GMT") << 120;
    QTest::newRow("none") << QByteArray() << 0;
}

void TestRabbitAnswers::aWishToWaitIsReadInBothForms()
{
    QFETCH(QByteArray, value);
    QFETCH(int, seconds);
    http::Response response;
    response.status = 429;
    response.headers.append(http::HeaderField{"Retry-After", value});
    const core::Error error = broker::rabbitmq::errorFor(response, QStringLiteral("queue x"), now);
    QCOMPARE(error.retryAfter, core::Milliseconds{seconds * 1000});
    const broker::SendOutcome sent = broker::rabbitmq::outcomeFor(response, QStringLiteral("x"), now);
    QCOMPARE(sent.error.retryAfter, error.retryAfter);
}

REDRIVE_TEST(TestRabbitAnswers)
#include "tst_rabbitanswers.moc"
