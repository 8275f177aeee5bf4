// Conventions of a person, on top of the dialects.
#include "backend/dialect/conventions/convention.h"
#include "backend/dialect/counters.h"
#include "backend/dialect/messageview.h"
#include "backend/records/conventions/conventionfile.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QCborMap>
#include <QTest>

using dialect::Arrival;
using dialect::Reading;
using records::Certainty;
using records::Classifier;
using records::Conventions;
using records::Envelope;
using records::Header;
using records::Headers;

namespace {

records::Convention convention(const QByteArray &fields, const char *name = "own")
{
    const auto read = records::conventionFrom("{\"name\": \"" + QByteArray(name) + "\", " + fields + '}');
    if (!read)
        qFatal("%s", qPrintable(read.error().message));
    return *read;
}

// A message as an unknown framework leaves it: the cause is a map in one header, and JSON text in another one.
Arrival unknownMessage()
{
    Arrival arrival;
    arrival.queue = QStringLiteral("billing.failed");
    arrival.connection = QStringLiteral("Production");
    const QCborMap error{{QStringLiteral("type"), QStringLiteral("Billing.CardExpired")},
                         {QStringLiteral("text"), QStringLiteral("The card expired in 05/26.")},
                         {QStringLiteral("frames"), QCborArray{QStringLiteral("   at Billing.Card.Charge(Order o)"),
                                                               QStringLiteral("   at Billing.Run()")}},
                         {QStringLiteral("tries"), 3},
                         {QStringLiteral("at"), 1781518953.25}};
    arrival.envelope.headers = {
        {QStringLiteral("x-error"), error},
        {QStringLiteral("x-info"), QStringLiteral("{\"from\": \"billing.charge\", \"tries\": 4.0, \"n\": 1.50, "
                                                  "\"n\": 2, \"who\": {\"app\":\"billing-api\"}}")},
        {QStringLiteral("x-app"), QStringLiteral("billing-api")},
        {QStringLiteral("x-tenant"), QCborValue(QCborValue::Null)},
        {QStringLiteral("x-tries"), QStringLiteral("5")}};
    arrival.envelope.properties = {{QStringLiteral("reply_to"), QStringLiteral("billing.charge")}};
    arrival.envelope.body = "{ \"id\" : 12345678901234567890, \"error\": {\"text\": \"no\", \"tries\": \"7\"},\n "
                            "\"list\": [ {\"a\":1}, 2.50 ] }";
    return arrival;
}

Arrival rejectedMessage()
{
    Arrival arrival = unknownMessage();
    const QCborMap death{{QStringLiteral("queue"), QStringLiteral("orders")},
                         {QStringLiteral("reason"), QStringLiteral("rejected")},
                         {QStringLiteral("count"), 2}};
    arrival.envelope.headers.append({QStringLiteral("x-death"), QCborArray{death}});
    return arrival;
}

QString title(const Reading &reading, const Arrival &arrival)
{
    return dialect::groupTitle(Classifier::ExceptionAndStack, reading, arrival);
}

Reading readWith(const Arrival &arrival, const QByteArray &fields)
{
    return dialect::read(arrival, {convention(fields)});
}

QString told(const Headers &headers)
{
    QStringList lines;
    for (const Header &header : headers)
        lines.append(header.name + QStringLiteral("=") + header.value.toDiagnosticNotation());
    return lines.join(QLatin1Char('\n'));
}

} // namespace

class TestOwnConvention final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aNestedCauseMakesARightGroup();
    void factsAreRead_data();
    void factsAreRead();
    void whatCannotBeReadStays_data();
    void whatCannotBeReadStays();
    void itIsForTheseMessages_data();
    void itIsForTheseMessages();
    void theTextOfTheBrokerDoesNotStayBesideAnotherCause();
    void theTextOfAFrameworkStays();
    void anAddressGivesItsQueue_data();
    void anAddressGivesItsQueue();
    void theEndpointFollowsOnlyAsACopy();
    void anIdentityIsNotChanged();
    void whatOnlyAnotherToolReturnsGetsNoDestination();
    void eachSeesWhatThoseBeforeItHaveRead();
    void placesAreChangedBeforeARetry_data();
    void placesAreChangedBeforeARetry();
    void entriesOfListsStay();
    void packedHeadersAreReadAndChanged();
    void emptyHeadersAreLeftOut();
    void countersAreListed();
    void theyAreFoundByName();
    void hostileTextIsReadQuickly();
};

void TestOwnConvention::aNestedCauseMakesARightGroup()
{
    const Arrival arrival = unknownMessage();
    const QByteArray fields = R"("for": {"queues": ["billing.*"]},
        "read": {"exception_type": {"header": "x-error", "pointer": "/type"},
                 "exception_message": {"header": "x-error", "pointer": "/text"},
                 "stack_trace": {"header": "x-error", "pointer": "/frames"},
                 "return_to": {"header": "x-info", "pointer": "/from"}})";
    QCOMPARE(title(dialect::read(arrival), arrival), QStringLiteral("billing.failed (no exception recorded)"));
    const Reading reading = readWith(arrival, fields);
    QCOMPARE(title(reading, arrival), QStringLiteral("CardExpired: Card.Charge(Order)"));
    QCOMPARE(reading.failure.exceptionMessage, QStringLiteral("The card expired in 05/26."));
    QCOMPARE(reading.destination.queue, QStringLiteral("billing.charge"));
    QVERIFY(reading.destination.certainty == Certainty::Derived);
    QCOMPARE(reading.destination.knownFrom, QStringLiteral("convention own"));
    QCOMPARE(reading.failure.endpoint, QStringLiteral("billing.charge"));
    QCOMPARE(reading.conventions, QStringList{QStringLiteral("own")});
    QCOMPARE(reading.dialect, QStringLiteral("unknown"));
}

void TestOwnConvention::factsAreRead_data()
{
    QTest::addColumn<QByteArray>("read");
    QTest::addColumn<QString>("fact");
    const auto row = [](const char *read, const char *fact) {
        QTest::newRow(read) << QByteArray(read) << QString::fromLatin1(fact);
    };
    row(R"("message_type": {"header": "x-info", "pointer": "/who/app"})", "type billing-api");
    row(R"("host": {"header": "x-app"})", "host billing-api");
    row(R"("endpoint": {"header": "x-app"})", "endpoint billing-api");
    row(R"("attempts": {"header": "x-error", "pointer": "/tries"})", "attempts 3");
    row(R"("attempts": {"header": "x-tries"})", "attempts 5");
    row(R"("attempts": {"body": "/error/tries"})", "attempts 7");
    row(R"("failed_at": {"header": "x-error", "pointer": "/at"})", "at 1781518953250");
    row(R"("exception_message": [{"header": "x-none"}, {"header": "x-tenant"}, {"body": "/error/text"}])",
        "message no");
    row(R"("exception_message": {"body": "/list/1"})", "message 2.5");
    row(R"("return_to": {"property": "reply_to"})", "destination billing.charge");
}

void TestOwnConvention::factsAreRead()
{
    QFETCH(QByteArray, read);
    QFETCH(QString, fact);
    const Reading reading = readWith(unknownMessage(), "\"read\": {" + read + '}');
    const records::Failure &failure = reading.failure;
    const QStringList facts{QStringLiteral("type ") + reading.messageType,
                            QStringLiteral("host ") + failure.host,
                            QStringLiteral("endpoint ") + failure.endpoint,
                            QStringLiteral("attempts %1").arg(reading.attempts.value_or(0)),
                            QStringLiteral("at %1").arg(failure.at ? core::toMs(*failure.at) : 0),
                            QStringLiteral("message ") + failure.exceptionMessage,
                            QStringLiteral("destination ") + reading.destination.queue};
    QVERIFY2(facts.contains(fact), qPrintable(facts.join(QLatin1Char('\n'))));
}

void TestOwnConvention::whatCannotBeReadStays_data()
{
    QTest::addColumn<QCborValue>("value");
    QTest::newRow("missing") << QCborValue();
    QTest::newRow("null") << QCborValue(QCborValue::Null);
    QTest::newRow("undefined") << QCborValue(QStringLiteral("undefined"));
    QTest::newRow("empty") << QCborValue(QString());
    QTest::newRow("blank") << QCborValue(QStringLiteral(" \n\t"));
    QTest::newRow("map") << QCborValue(QCborMap{{QStringLiteral("a"), 1}});
    QTest::newRow("list") << QCborValue(QCborArray{QCborMap()});
    QTest::newRow("bytes") << QCborValue(QByteArray("abc"));
}

void TestOwnConvention::whatCannotBeReadStays()
{
    QFETCH(QCborValue, value);
    Arrival arrival = rejectedMessage();
    arrival.envelope.headers.append({QStringLiteral("x"), value});
    const Reading before = dialect::read(arrival);
    QByteArrayList reads;
    for (const char *fact : {"exception_type", "exception_message", "stack_trace", "message_type", "endpoint", "host",
                             "failed_at", "attempts", "return_to"})
        reads.append('"' + QByteArray(fact) + "\": {\"header\": \"x\"}");
    const Reading after = readWith(arrival, "\"read\": {" + reads.join(", ") + '}');
    QCOMPARE(after.failure.exceptionType, before.failure.exceptionType);
    QCOMPARE(after.failure.exceptionMessage, before.failure.exceptionMessage);
    QCOMPARE(after.failure.stackTrace, before.failure.stackTrace);
    QCOMPARE(after.failure.endpoint, before.failure.endpoint);
    QCOMPARE(after.failure.host, before.failure.host);
    QVERIFY(after.failure.at == before.failure.at);
    QCOMPARE(after.messageType, before.messageType);
    QCOMPARE(after.attempts, before.attempts);
    QVERIFY(after.destination == before.destination);
    QCOMPARE(title(after, arrival), title(before, arrival));
    QCOMPARE(after.conventions, QStringList{QStringLiteral("own")}); // its rules hold nevertheless

    // Text where a number, a time or a name that is not too long is needed.
    const QString longText(70'000, QLatin1Char('x'));
    arrival.envelope.headers.last().value = longText;
    const Reading wide = readWith(arrival, "\"read\": {" + reads.join(", ") + '}');
    QCOMPARE(wide.failure.endpoint, before.failure.endpoint);
    QCOMPARE(wide.failure.host, before.failure.host);
    QVERIFY(wide.failure.at == before.failure.at);
    QCOMPARE(wide.attempts, before.attempts);
    QVERIFY(wide.destination == before.destination);
    QCOMPARE(wide.failure.exceptionType.size(), dialect::bounds::name);
    QCOMPARE(wide.failure.exceptionMessage.size(), dialect::bounds::exceptionMessage);
}

void TestOwnConvention::itIsForTheseMessages_data()
{
    QTest::addColumn<QByteArray>("isFor");
    QTest::addColumn<bool>("applies");
    const auto row = [](const char *isFor, bool applies) { QTest::newRow(isFor) << QByteArray(isFor) << applies; };
    row("{}", true);
    row(R"({"connection": "Production"})", true);
    row(R"({"connection": "production"})", false);
    row(R"({"queues": ["x", "billing.?ailed"]})", true);
    row(R"({"queues": ["orders*"]})", false);
    row(R"({"dialects": ["RabbitMQ", "unknown"]})", true);
    row(R"({"dialects": ["RabbitMQ"]})", false);
    row(R"({"headers": {"x-app": "billing*", "x-error": "*"}})", true);
    row(R"({"headers": {"x-app": "billing*", "x-other": "*"}})", false);
    row(R"({"headers": {"x-app": "shop*"}})", false);
    row("{\"group\": {\"by\": \"exception\", \"title\": \"billing.failed (no exception recorded)\"}}", true);
    row("{\"group\": {\"by\": \"exception\", \"title\": \"billing.failed\"}}", false);
    row("{\"group\": {\"by\": \"type\", \"title\": \"(no message type)\"}}", true);
    row(R"({"queues": ["billing.*"], "dialects": ["Celery"]})", false);
}

void TestOwnConvention::itIsForTheseMessages()
{
    QFETCH(QByteArray, isFor);
    QFETCH(bool, applies);
    const Reading reading = readWith(unknownMessage(), "\"for\": " + isFor + ", \"return_to_queue\": \"somewhere\"");
    QCOMPARE(!reading.conventions.isEmpty(), applies);
    QCOMPARE(reading.destination.queue == QStringLiteral("somewhere"), applies);
}

void TestOwnConvention::theTextOfTheBrokerDoesNotStayBesideAnotherCause()
{
    const Arrival arrival = rejectedMessage();
    const Reading native = dialect::read(arrival);
    QCOMPARE(title(native, arrival), QStringLiteral("dead-letter: rejected (billing.failed)"));
    const Reading message = readWith(arrival, R"("read": {"exception_message": {"body": "/error/text"}})");
    QCOMPARE(message.failure.exceptionType, QString());
    QCOMPARE(title(message, arrival), QStringLiteral("no"));
    const Reading type = readWith(arrival, R"("read": {"exception_type": {"header": "x-error", "pointer": "/type"}})");
    QCOMPARE(type.failure.exceptionMessage, QString());
    QCOMPARE(title(type, arrival), QStringLiteral("CardExpired: No stacktrace"));

    Arrival azure = unknownMessage();
    azure.broker = records::BrokerKind::ServiceBus;
    azure.queue = QStringLiteral("billing/$DeadLetterQueue");
    azure.envelope.headers += {{QStringLiteral("DeadLetterReason"), QStringLiteral("MaxDeliveryCountExceeded")},
                               {QStringLiteral("DeadLetterErrorDescription"), QStringLiteral("10 attempts")}};
    const Reading cause = readWith(azure, R"("read": {"exception_type": {"header": "x-error", "pointer": "/type"}})");
    QCOMPARE(title(cause, azure), QStringLiteral("CardExpired: No stacktrace"));
    QCOMPARE(cause.failure.exceptionMessage, QString());
    // A reason of the application is no text of the broker.
    records::set(azure.envelope.headers, QStringLiteral("DeadLetterReason"), QStringLiteral("CardRefused"));
    const Reading kept = readWith(azure, R"("read": {"exception_message": {"body": "/error/text"}})");
    QCOMPARE(kept.failure.exceptionType, QStringLiteral("CardRefused"));
    QCOMPARE(kept.failure.exceptionMessage, QStringLiteral("no"));

    Arrival celery = rejectedMessage();
    celery.envelope.headers += {{QStringLiteral("task"), QStringLiteral("shop.charge")},
                                {QStringLiteral("id"), QStringLiteral("1")},
                                {QStringLiteral("lang"), QStringLiteral("py")},
                                {QStringLiteral("root_id"), QStringLiteral("1")},
                                {QStringLiteral("argsrepr"), QStringLiteral("()")}};
    QCOMPARE(dialect::read(celery).dialect, QStringLiteral("Celery"));
    const Reading own = readWith(celery, R"("read": {"exception_message": {"body": "/error/text"}})");
    QCOMPARE(title(own, celery), QStringLiteral("no"));
}

void TestOwnConvention::theTextOfAFrameworkStays()
{
    Arrival arrival = unknownMessage();
    arrival.envelope.headers += {{QStringLiteral("NServiceBus.MessageId"), QStringLiteral("1")},
                                 {QStringLiteral("NServiceBus.FailedQ"), QStringLiteral("orders")},
                                 {QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"), QStringLiteral("A.B")},
                                 {QStringLiteral("NServiceBus.ExceptionInfo.Message"), QStringLiteral("why")}};
    const Reading reading = readWith(arrival, R"("read": {"exception_message": {"body": "/error/text"}})");
    QCOMPARE(reading.dialect, QStringLiteral("NServiceBus"));
    QCOMPARE(reading.failure.exceptionType, QStringLiteral("A.B"));
    QCOMPARE(reading.failure.exceptionMessage, QStringLiteral("no"));
    QCOMPARE(reading.destination.queue, QStringLiteral("orders"));
}

void TestOwnConvention::anAddressGivesItsQueue_data()
{
    QTest::addColumn<QString>("address");
    QTest::addColumn<QString>("queue");
    const auto row = [](const char *address, const char *queue) {
        QTest::newRow(address) << QString::fromLatin1(address) << QString::fromLatin1(queue);
    };
    row("orders", "orders");
    row(" orders ", "orders");
    row("rabbitmq://host/shop/orders?durable=true", "orders");
    row("arn:aws:sqs:eu-west-1:1234:orders", "orders");
    row("https://sqs.eu-west-1.amazonaws.com/1234/orders", "orders");
    row("rabbitmq://host/shop/orders?type=topic", ""); // an exchange
    row("arn:aws:sns:eu-west-1:1234:orders", "");
}

void TestOwnConvention::anAddressGivesItsQueue()
{
    QFETCH(QString, address);
    Arrival arrival = unknownMessage();
    records::set(arrival.envelope.properties, QStringLiteral("reply_to"), address);
    QTEST(readWith(arrival, R"("read": {"return_to": {"property": "reply_to"}})").destination.queue, "queue");
}

void TestOwnConvention::theEndpointFollowsOnlyAsACopy()
{
    const QByteArray fixed = R"("return_to_queue": "other")";
    const Reading copy = readWith(unknownMessage(), fixed);
    QCOMPARE(copy.failure.endpoint, QStringLiteral("other"));
    QVERIFY(copy.destination.certainty == Certainty::Exact);
    QCOMPARE(copy.destination.knownFrom, QStringLiteral("convention own"));
    const Reading named = readWith(rejectedMessage(), fixed); // x-death names it
    QCOMPARE(named.failure.endpoint, QStringLiteral("orders"));
    QCOMPARE(named.destination.queue, QStringLiteral("other"));
    const Reading both =
        readWith(unknownMessage(), R"("return_to_queue": "other", "read": {"endpoint": {"header": "x-app"}})");
    QCOMPARE(both.failure.endpoint, QStringLiteral("billing-api"));
}

void TestOwnConvention::anIdentityIsNotChanged()
{
    Arrival arrival = unknownMessage();
    arrival.envelope.headers += {{QStringLiteral("NServiceBus.MessageId"), QStringLiteral("1")},
                                 {QStringLiteral("NServiceBus.FailedQ"), QStringLiteral("orders")}};
    const Reading before = dialect::read(arrival);
    QVERIFY(before.messageIdIsUnique);
    const Reading after = readWith(arrival, R"("return_to_queue": "x", "read": {"endpoint": {"header": "x-app"}})");
    QCOMPARE(after.failure.endpoint, before.failure.endpoint);
    QCOMPARE(after.messageId, before.messageId);
    QCOMPARE(after.destination.queue, QStringLiteral("x"));
}

void TestOwnConvention::whatOnlyAnotherToolReturnsGetsNoDestination()
{
    Arrival arrival;
    arrival.broker = records::BrokerKind::Sqs;
    arrival.queue = QStringLiteral("failed");
    arrival.envelope.properties = {{QStringLiteral("ApproximateReceiveCount"), QStringLiteral("1")}};
    arrival.envelope.body = R"({"version":"1.0","requestContext":{"requestId":"1","functionArn":"arn:aws:lambda:f",)"
                            R"("condition":"RetriesExhausted"},"requestPayload":{},"responseContext":{}})";
    const Reading before = dialect::read(arrival);
    QVERIFY2(before.flags.testFlag(records::MessageFlag::OtherTool), qPrintable(before.dialect));
    const Reading after = readWith(arrival, R"("return_to_queue": "x")");
    QVERIFY(after.destination == before.destination);
    QVERIFY(after.flags == before.flags);
}

void TestOwnConvention::eachSeesWhatThoseBeforeItHaveRead()
{
    const Arrival arrival = unknownMessage();
    const records::Convention first =
        convention(R"("read": {"exception_type": {"header": "x-error", "pointer": "/type"}})", "a");
    const records::Convention second = convention(
        R"("for": {"group": {"by": "exception", "title": "CardExpired: No stacktrace"}}, "return_to_queue": "cards")",
        "b");
    QCOMPARE(dialect::read(arrival, {first, second}).conventions,
             (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
    QCOMPARE(dialect::read(arrival, {first, second}).destination.queue, QStringLiteral("cards"));
    QCOMPARE(dialect::read(arrival, {second, first}).conventions, QStringList{QStringLiteral("a")});
}

void TestOwnConvention::placesAreChangedBeforeARetry_data()
{
    QTest::addColumn<QByteArray>("rule");
    QTest::addColumn<QString>("place"); // what changed
    QTest::addColumn<QByteArray>("after");
    const auto row = [](const char *rule, const char *place, const char *after) {
        QTest::newRow(rule) << QByteArray(rule) << QString::fromLatin1(place) << QByteArray(after);
    };
    row(R"({"remove": {"header": "x-app"}})", "x-app", "");
    row(R"({"remove": {"property": "reply_to"}})", "reply_to", "");
    row(R"({"remove": {"header": "x-info", "pointer": "/who"}})", "x-info",
        R"({"from": "billing.charge", "tries": 4.0, "n": 1.50, "n": 2})");
    row(R"({"zero": {"header": "x-info", "pointer": "/tries"}})", "x-info",
        R"({"from": "billing.charge", "tries": 0.0, "n": 1.50, "n": 2, "who": {"app":"billing-api"}})");
    row(R"({"zero": {"header": "x-tries"}})", "x-tries", "0");
    row(R"({"remove": {"body": "/error"}})", "body",
        "{ \"id\" : 12345678901234567890,\n \"list\": [ {\"a\":1}, 2.50 ] }");
    row(R"({"zero": {"body": "/error/tries"}})", "body",
        "{ \"id\" : 12345678901234567890, \"error\": {\"text\": \"no\", \"tries\": \"0\"},\n \"list\": [ "
        "{\"a\":1}, 2.50 ] }");
    row(R"({"remove": {"body": "/list/0/a"}})", "body",
        "{ \"id\" : 12345678901234567890, \"error\": {\"text\": \"no\", \"tries\": \"7\"},\n \"list\": [ {}, 2.50 "
        "] }");
    row(R"({"zero": {"body": "/list/1"}})", "body",
        "{ \"id\" : 12345678901234567890, \"error\": {\"text\": \"no\", \"tries\": \"7\"},\n \"list\": [ "
        "{\"a\":1}, 0.0 ] }");
    // What is not there, is no number or is not clear stays.
    row(R"({"remove": {"header": "X-App"}})", "", "");
    row(R"({"remove": {"header": "x-info", "pointer": "/n"}})", "", "");
    row(R"({"zero": {"header": "x-info", "pointer": "/n"}})", "", "");
    row(R"({"zero": {"header": "x-app"}})", "", "");
    row(R"({"zero": {"header": "x-error"}})", "", "");
    row(R"({"remove": {"body": "/error/text/x"}})", "", "");
    row(R"({"remove": {"body": "/"}})", "", "");
    row(R"({"zero": {"body": "/error/text"}})", "", "");
}

void TestOwnConvention::placesAreChangedBeforeARetry()
{
    QFETCH(QByteArray, rule);
    QFETCH(QString, place);
    QFETCH(QByteArray, after);
    const Arrival arrival = unknownMessage();
    const Conventions conventions{convention("\"before_retry\": [" + rule + "]")};
    Envelope wanted = dialect::stripped(QStringLiteral("unknown"), arrival.envelope);
    const bool isProperty = place == QLatin1String("reply_to");
    Headers &list = isProperty ? wanted.properties : wanted.headers;
    if (place == QLatin1String("body"))
        wanted.body = after;
    else if (after.isEmpty())
        records::remove(list, place);
    else
        records::set(list, place, QString::fromUtf8(after));
    const Envelope copy = dialect::stripped(QStringLiteral("unknown"), arrival.envelope, conventions);
    QCOMPARE(copy.body, wanted.body);
    QCOMPARE(told(copy.headers), told(wanted.headers));
    QCOMPARE(copy.properties, wanted.properties);
    QCOMPARE(dialect::stripped(QStringLiteral("unknown"), copy, conventions), copy);
}

void TestOwnConvention::entriesOfListsStay()
{
    Envelope envelope = unknownMessage().envelope;
    envelope.headers = {
        {QStringLiteral("list"), QCborArray{1, QCborMap{{QStringLiteral("n"), 5}}, QStringLiteral("7")}},
        {QStringLiteral("text"), QStringLiteral("[1,[2,3]]")}};
    const auto changed = [&envelope](const char *rules) {
        return told(dialect::stripped(QStringLiteral("unknown"), envelope,
                                      {convention("\"before_retry\": [" + QByteArray(rules) + "]")})
                        .headers);
    };
    QCOMPARE(
        changed(
            R"({"remove": {"header": "list", "pointer": "/0"}}, {"remove": {"header": "text", "pointer": "/1/0"}})"),
        told(envelope.headers));
    QCOMPARE(
        changed(R"({"remove": {"header": "list", "pointer": "/1/n"}}, {"zero": {"header": "list", "pointer": "/2"}},
                        {"zero": {"header": "text", "pointer": "/1/1"}}, {"zero": {"header": "list", "pointer": "/3"}})"),
        QStringLiteral("list=[1, {}, \"0\"]\ntext=\"[1,[2,0]]\""));
    // The number of the place is not in the text.
    QCOMPARE(changed(R"({"zero": {"header": "text", "pointer": "/0"}})").section(u'\n', 1),
             QStringLiteral("text=\"[0,[2,3]]\""));
}

void TestOwnConvention::packedHeadersAreReadAndChanged()
{
    Arrival arrival;
    arrival.broker = records::BrokerKind::Sqs;
    arrival.queue = QStringLiteral("failed");
    arrival.envelope.properties = {{QStringLiteral("ApproximateReceiveCount"), QStringLiteral("1")}};
    arrival.envelope.headers = {
        {QStringLiteral("bag"), QStringLiteral(R"({"x-cause":"A.B","x-tries":3,"tenant":"n"})")}};
    arrival.envelope.body = "text";
    const Conventions conventions{
        convention(R"("for": {"headers": {"tenant": "n"}}, "read": {"exception_type": {"header": "x-cause"}},
                      "before_retry": [{"remove": {"header": "x-cause"}}, {"zero": {"header": "x-tries"}}])")};
    const Reading reading = dialect::read(arrival, conventions);
    QCOMPARE(reading.failure.exceptionType, QStringLiteral("A.B"));
    const Envelope copy = dialect::stripped(reading.dialect, arrival.envelope, conventions);
    QCOMPARE(records::text(copy.headers, u"bag"), QStringLiteral(R"({"tenant":"n","x-tries":0})"));
    QCOMPARE(dialect::stripped(reading.dialect, copy, conventions), copy);
    QCOMPARE(dialect::resetCounters(reading.dialect, arrival.envelope, conventions).size(), 1);
}

void TestOwnConvention::emptyHeadersAreLeftOut()
{
    const Arrival arrival = unknownMessage();
    const Conventions conventions{convention(R"("before_retry": [{"empty_is_missing": {"header": "x-tenant"}},
                                                                {"empty_is_missing": {"header": "x-app"}}])")};
    const QString unknown = QStringLiteral("unknown");
    QVERIFY(records::find(dialect::withoutNulls(unknown, arrival.envelope).headers, u"x-tenant") != nullptr);
    const Envelope copy = dialect::withoutNulls(unknown, arrival.envelope, conventions);
    QVERIFY(records::find(copy.headers, u"x-tenant") == nullptr);
    QVERIFY(records::find(copy.headers, u"x-app") != nullptr); // it is not empty
    QVERIFY(records::find(dialect::stripped(unknown, arrival.envelope, conventions).headers, u"x-tenant") == nullptr);
    QCOMPARE(told(dialect::droppedEmptyHeaders(unknown, arrival.envelope, conventions)),
             QStringLiteral("x-tenant=null"));
    QVERIFY(dialect::droppedEmptyHeaders(unknown, arrival.envelope).isEmpty());

    // What RabbitMQ's HTTP interface shows for a null, and what a dialect drops by itself.
    Envelope celery = arrival.envelope;
    celery.headers = {{QStringLiteral("eta"), QStringLiteral("undefined")},
                      {QStringLiteral("x-tenant"), QStringLiteral("undefined")}};
    QCOMPARE(told(dialect::droppedEmptyHeaders(QStringLiteral("Celery"), celery, conventions)),
             QStringLiteral("eta=\"undefined\"\nx-tenant=\"undefined\""));
}

void TestOwnConvention::countersAreListed()
{
    const Conventions conventions{convention(
        R"("before_retry": [{"zero": {"header": "x-tries"}}, {"zero": {"header": "x-error", "pointer": "/tries"}},
                                       {"zero": {"body": "/error/tries"}}, {"zero": {"header": "x-app"}},
                                       {"zero": {"header": "none"}}, {"zero": {"header": "x-tries"}}])")};
    const QString unknown = QStringLiteral("unknown");
    QStringList lines;
    const auto changes = dialect::resetCounters(unknown, unknownMessage().envelope, conventions);
    for (const records::HeaderChange &change : changes)
        lines.append(change.name + QLatin1Char(' ') + change.before->toDiagnosticNotation() + QLatin1Char(' ')
                     + change.after->toDiagnosticNotation());
    QCOMPARE(lines, (QStringList{QStringLiteral("x-tries \"5\" \"0\""), QStringLiteral("x-error/tries 3 0"),
                                 QStringLiteral("error/tries \"7\" \"0\"")}));
    const Envelope sent = dialect::stripped(unknown, unknownMessage().envelope, conventions);
    QVERIFY(dialect::resetCounters(unknown, sent, conventions).isEmpty());
}

void TestOwnConvention::theyAreFoundByName()
{
    const Conventions all{convention("\"note\": \"\"", "a"), convention("\"note\": \"\"", "b"),
                          convention("\"note\": \"\"", "c")};
    const Conventions found =
        dialect::conventionsNamed(all, {QStringLiteral("c"), QStringLiteral("none"), QStringLiteral("a")});
    QCOMPARE(found.size(), 2);
    QCOMPARE(found.at(0).name, QStringLiteral("a"));
    QCOMPARE(found.at(1).name, QStringLiteral("c"));
}

// Each text is read once, however many places are in it.
void TestOwnConvention::hostileTextIsReadQuickly()
{
    Arrival arrival = unknownMessage();
    const QByteArray wide = "{" + QByteArray("\"a\":[[[[\"").repeated(80'000) + "}";
    QByteArray members;
    for (int i = 0; i < 40'000; ++i)
        members += "\"k" + QByteArray::number(i) + "\":{\"a\":1},";
    const QByteArray sound = "{" + members + "\"last\":{\"tries\":\"x\"}}";
    QByteArrayList rules;
    QByteArrayList places;
    for (int i = 0; i < 20; ++i) {
        rules.append(R"({"zero": {"body": "/last/tries"}}, {"remove": {"header": "x-text", "pointer": "/last/none"}})");
        places.append(R"({"header": "x-text", "pointer": "/last/none/0"}, {"body": "/last/none"})");
    }
    const Conventions conventions{convention("\"read\": {\"exception_type\": [" + places.mid(0, 10).join(", ")
                                             + "]}, \"before_retry\": [" + rules.join(", ") + "]")};
    for (const QByteArray &text : {wide, sound, QByteArray("[").repeated(1'000'000)}) {
        arrival.envelope.body = text;
        records::set(arrival.envelope.headers, QStringLiteral("x-text"), QString::fromLatin1(text));
        QCOMPARE(dialect::read(arrival, conventions).failure.exceptionType, QString());
        QVERIFY(dialect::stripped(QStringLiteral("unknown"), arrival.envelope, conventions)
                == dialect::stripped(QStringLiteral("unknown"), arrival.envelope));
    }
}

REDRIVE_TEST(TestOwnConvention)
#include "tst_ownconvention.moc"
