#include "backend/broker/azurequeue/account.h"
#include "backend/broker/azurequeue/errormapping.h"
#include "backend/broker/azurequeue/messagemapper.h"
#include "backend/broker/azurequeue/queuexml.h"
#include "backend/broker/azurequeue/rights.h"
#include "backend/broker/azurequeue/sharedkey.h"
#include "tests/support/fakeclock.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace broker::azurequeue;
using broker::Verdict;
using core::ErrorKind;
using http::Response;

namespace {

QByteArray listOf(const QByteArray &messages)
{
    return "<?xml version=\"1.0\" encoding=\"utf-8\"?><QueueMessagesList>" + messages + "</QueueMessagesList>";
}

QByteArray messageOf(const QByteArray &text, const QByteArray &more = {})
{
    return "<QueueMessage><MessageId>a</MessageId>" + more + "<MessageText>" + text + "</MessageText></QueueMessage>";
}

records::Connection connectionTo(const char *url)
{
    records::Connection connection;
    connection.url = QUrl(QString::fromLatin1(url));
    return connection;
}

Response refusal(int status, const QByteArray &code)
{
    return {status, {{"x-ms-error-code", code}}, {}};
}

} // namespace

class TestAzureQueueForms final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSignatureIsTheVectors();
    void everythingThatIsSentIsSigned();
    void secretsAreTakenAsTheyAreGiven_data();
    void secretsAreTakenAsTheyAreGiven();
    void aTokenSaysWhatItAllows_data();
    void aTokenSaysWhatItAllows();
    void messagesAreRead();
    void aMessageIsInvisibleUntilItsTime();
    void whatIsBrokenHurtsNoOther_data();
    void whatIsBrokenHurtsNoOther();
    void hostileAnswersAreCorrupt_data();
    void hostileAnswersAreCorrupt();
    void charactersThatXmlDoesNotHaveAreKept_data();
    void charactersThatXmlDoesNotHaveAreKept();
    void halfACharacterIsTold();
    void queueNamesAreRead();
    void textGoesBackAsItCame_data();
    void textGoesBackAsItCame();
    void whatIsNoTextIsRefused();
    void everyStatusHasAKindAndAVerdict_data();
    void everyStatusHasAKindAndAVerdict();
    void aWrongClockIsToldFromAWrongKey();
};

void TestAzureQueueForms::theSignatureIsTheVectors()
{
    // reference vector "sharedkey", which azurite accepts
    http::Request request;
    request.url = QUrl(QStringLiteral("http://127.0.0.1:10001/devstoreaccount1/orders-poison/messages"
                                      "?peekonly=true&numofmessages=32"));
    request.headers = {{"x-ms-version", "2024-11-04"}, {"X-Ms-Date", "Fri, 02 Jan 2026 03:04:05 GMT"}};
    const QByteArray sts = stringToSign(request, "devstoreaccount1");
    QCOMPARE(sts,
             QByteArray("GET\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:Fri, 02 Jan 2026 03:04:05 GMT\nx-ms-version:2024-11-04\n"
                        "/devstoreaccount1/devstoreaccount1/orders-poison/messages\nnumofmessages:32\npeekonly:true"));
    const QByteArray key = QByteArray::fromBase64(
        "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==");
    QCOMPARE(sharedKey("devstoreaccount1", key, sts),
             QByteArray("SharedKey devstoreaccount1:EcsA/3RaNqmnPpWFSeag6u9nV6/REqXsf3hYWLteURo="));
}

void TestAzureQueueForms::everythingThatIsSentIsSigned()
{
    http::Request request;
    request.verb = "PUT";
    request.url =
        QUrl::fromEncoded("https://shop.queue.core.windows.net/q/messages/id?popreceipt=a%2Bb%3D&visibilitytimeout=0");
    request.headers = {{"Content-Type", "application/xml"}, {"x-ms-date", "D"}};
    request.body = "12345";
    QCOMPARE(stringToSign(request, "shop"), QByteArray("PUT\n\n\n5\n\napplication/xml\n\n\n\n\n\n\nx-ms-date:D\n"
                                                       "/shop/q/messages/id\npopreceipt:a+b=\nvisibilitytimeout:0"));
}

void TestAzureQueueForms::secretsAreTakenAsTheyAreGiven_data()
{
    QTest::addColumn<QString>("secret");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("sas");
    QTest::addColumn<bool>("usable");
    const QByteArray none;
    const auto row = [](const char *name, const char *secret, const QByteArray &key, const QByteArray &sas,
                        bool usable) { QTest::newRow(name) << QString::fromUtf8(secret) << key << sas << usable; };
    row("none", "", none, none, true);
    row("key", " a2V5 ", "key", none, true);
    row("key that ends like a token", "AAAAsig=", QByteArray::fromBase64("AAAAsig="), none, true);
    row("token", "sv=1&sig=a%2Bb", none, "sv=1&sig=a%2Bb", true);
    row("token with its mark", "?sv=1&sig=a%2Bb", none, "sv=1&sig=a%2Bb", true);
    row("URL of a queue", "https://shop.queue.core.windows.net/q?sv=1&sig=x", none, "sv=1&sig=x", true);
    row("connection string", "AccountName=shop;AccountKey=a2V5;EndpointSuffix=x", "key", none, true);
    row("connection string with a token", "QueueEndpoint=https://x/;SharedAccessSignature=sv=1&sig=x", none,
        "sv=1&sig=x", true);
    row("no base64", "s3cret!", none, none, false);
    row("token over two lines", "sv=1&sig=s3cret\r\nHost: evil", none, none, false);
}

void TestAzureQueueForms::secretsAreTakenAsTheyAreGiven()
{
    QFETCH(QString, secret);
    const Account account = Account::from(connectionTo("https://shop@shop.queue.core.windows.net/"), secret);
    QTEST(account.key, "key");
    QTEST(account.sas, "sas");
    QTEST(account.unusable.isEmpty(), "usable");
    QVERIFY(!account.unusable.contains(QLatin1String("s3cret")));
    QCOMPARE(account.base.toString(), QStringLiteral("https://shop.queue.core.windows.net/"));
    QCOMPARE(account.name, QByteArray("shop"));
    QCOMPARE(Account::from(connectionTo("http://dev@127.0.0.1:1/dev"), {}).base.path(), QStringLiteral("/dev/"));
}

void TestAzureQueueForms::aTokenSaysWhatItAllows_data()
{
    QTest::addColumn<QByteArray>("sas");
    QTest::addColumn<QString>("allowed");
    QTest::newRow("no token") << QByteArray() << QStringLiteral("rpua");
    QTest::newRow("account") << QByteArray("ss=q&srt=sco&sp=rwdlacup&sig=x") << QStringLiteral("rpua");
    QTest::newRow("queue") << QByteArray("sp=raup&sig=x") << QStringLiteral("rpua one");
    QTest::newRow("only looks") << QByteArray("sp=r&sig=x") << QStringLiteral("r one");
    QTest::newRow("stored policy") << QByteArray("si=policy&sig=x") << QStringLiteral("rpua one");
    QTest::newRow("ends") << QByteArray("ss=q&sp=p&se=2026-01-02T03%3A04%3A05Z&sig=x")
                          << QStringLiteral("p until 1767323045000");
    QTest::newRow("ends, a day") << QByteArray("ss=q&sp=p&se=2026-01-02&sig=x")
                                 << QStringLiteral("p until 1767312000000");
}

void TestAzureQueueForms::aTokenSaysWhatItAllows()
{
    QFETCH(QByteArray, sas);
    const Rights rights = rightsOf(sas);
    QString allowed;
    for (const auto &[has, letter] : {std::pair{rights.read, "r"},
                                      {rights.process, "p"},
                                      {rights.update, "u"},
                                      {rights.add, "a"},
                                      {rights.oneQueue, " one"}}) {
        if (has)
            allowed += QLatin1String(letter);
    }
    if (rights.ends)
        allowed += QStringLiteral(" until %1").arg(core::toMs(*rights.ends));
    QTEST(allowed, "allowed");
}

void TestAzureQueueForms::aMessageIsInvisibleUntilItsTime()
{
    const core::TimePoint now = core::fromMs(1767323045250);
    const QByteArray forever("messagettl=-1");
    QCOMPARE(putQuery({}, now), forever);
    QCOMPARE(putQuery(now, now), forever);
    QCOMPARE(putQuery(now - std::chrono::hours(1), now), forever); // sent again after its time
    QCOMPARE(putQuery(now + core::Milliseconds{1001}, now), forever + "&visibilitytimeout=2");
    QCOMPARE(putQuery(now + std::chrono::hours(24 * 7), now), forever + "&visibilitytimeout=604800");
    QCOMPARE(putQuery(now + std::chrono::hours(24 * 8), now), forever + "&visibilitytimeout=604800");
}

void TestAzureQueueForms::messagesAreRead()
{
    const QByteArray times = "<InsertionTime>Fri, 02 Jan 2026 03:04:05 GMT</InsertionTime>"
                             "<ExpirationTime>Fri, 31 Dec 9999 23:59:59 GMT</ExpirationTime>"
                             "<PopReceipt>AgAA+/=</PopReceipt><DequeueCount>3</DequeueCount><Newer><a/></Newer>";
    const auto read = messagesFrom("\xef\xbb\xbf" + listOf(messageOf("&lt;b&gt; &amp;amp;&#xD;\n \xc3\xbc", times)));
    QVERIFY(read && read->size() == 1);
    const QueuedMessage &message = read->constFirst();
    QCOMPARE(message.text, QStringLiteral("<b> &amp;\r\n \u00fc"));
    QCOMPARE(message.popReceipt, QStringLiteral("AgAA+/="));
    const broker::ReceivedMessage held = heldFrom(message);
    QCOMPARE(held.nativeId, QStringLiteral("a"));
    QCOMPARE(held.settleToken, QStringLiteral("AgAA+/="));
    QCOMPARE(held.deliveryCount, std::optional(2)); // ours is one of the three
    QCOMPARE(core::toMs(*held.enqueuedAt), 1767323045000);
    QVERIFY(messagesFrom("<QueueMessagesList/>")->isEmpty());
    // One without an id costs the others nothing: who takes them tells it apart.
    const auto nameless = messagesFrom(listOf("<QueueMessage><MessageText>x</MessageText></QueueMessage>"));
    QVERIFY(nameless.has_value());
    QCOMPARE(nameless->size(), 1);
    QVERIFY(nameless->first().id.isEmpty());
}

void TestAzureQueueForms::whatIsBrokenHurtsNoOther_data()
{
    QTest::addColumn<QByteArray>("broken");
    const auto row = [](const char *name, const QByteArray &xml) { QTest::newRow(name) << xml; };
    row("unknown entity", messageOf("&e;"));
    row("element in the text", messageOf("a<b>c</b>"));
    row("text that is not escaped", messageOf("a < b"));
    row("element that does not end", messageOf("<b>"));
    row("element that ends twice", messageOf("</MessageText>"));
    row("long id", "<QueueMessage><MessageId>" + QByteArray(2000, 'a') + "</MessageId></QueueMessage>");
    row("no UTF-8", messageOf("\xff"));
    row("beyond Unicode", messageOf("&#x110000;"));
    row("unreadable number", messageOf("&#99999999999;"));
    row("message that does not end", messageOf("x").chopped(3));
}

void TestAzureQueueForms::whatIsBrokenHurtsNoOther()
{
    QFETCH(const QByteArray, broken);
    const auto read = messagesFrom(listOf(messageOf("one &amp;&#x1;") + broken + messageOf("three") + broken));
    QVERIFY(read.has_value());
    QCOMPARE(read->size(), 4);
    QCOMPARE(read->at(0).text, QStringLiteral("one &\x01"));
    QVERIFY(read->at(1).id.isEmpty());
    QCOMPARE(read->at(2).text, QStringLiteral("three"));
    QVERIFY(read->at(3).id.isEmpty());
    QVERIFY(!messagesFrom(listOf(messageOf("one") + broken).chopped(5))); // cut short: no answer
    QVERIFY(!messagesFrom("<!DOCTYPE a []>" + listOf(messageOf("one") + broken)));
    QVERIFY(!messagesFrom(listOf(messageOf("one") + broken.repeated(32))));
}

void TestAzureQueueForms::hostileAnswersAreCorrupt_data()
{
    QTest::addColumn<QByteArray>("xml");
    const auto row = [](const char *name, const QByteArray &xml) { QTest::newRow(name) << xml; };
    row("nothing", {});
    row("html", "<html><body>Sign in</body></html>");
    row("cut short", listOf(messageOf("x")).chopped(5));
    row("more after it", listOf({}) + "<a/>");
    row("document type", "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>" + listOf(messageOf("&e;")));
    QByteArray laughs = "<!DOCTYPE a [<!ENTITY a \"ha\">";
    for (char name = 'b'; name < 'z'; ++name)
        laughs += QByteArray("<!ENTITY ") + name + " \"&" + char(name - 1) + ";&" + char(name - 1) + ";\">";
    row("entities", laughs + "]>" + listOf(messageOf("&y;")));
    row("unknown entity", listOf(messageOf("&e;")));
    row("element in the text", listOf(messageOf("a<b>c</b>")));
    row("too many", listOf(messageOf("x").repeated(33)));
    row("long id", listOf("<QueueMessage><MessageId>" + QByteArray(2000, 'a') + "</MessageId></QueueMessage>"));
    row("no UTF-8", listOf(messageOf("\xff")));
    row("beyond Unicode", listOf(messageOf("&#x110000;")));
    row("unreadable number", listOf(messageOf("&#99999999999;")));
    row("control in a name", "<Queue\x01MessagesList/>");
    row("deep", QByteArray("<QueueMessagesList>") + QByteArray("<a>").repeated(100000));
}

void TestAzureQueueForms::hostileAnswersAreCorrupt()
{
    QFETCH(QByteArray, xml);
    const auto messages = messagesFrom(xml);
    QVERIFY(!messages);
    QVERIFY(messages.error().kind == ErrorKind::Corrupt);
    const auto names = queueNamesFrom(xml);
    QVERIFY(!names || names->names.isEmpty());
    QVERIFY(serviceErrorFrom(xml).code.isEmpty());
}

void TestAzureQueueForms::charactersThatXmlDoesNotHaveAreKept_data()
{
    QTest::addColumn<QByteArray>("xml");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("hexadecimal") << QByteArray("a&#x1;b&#x1F;")
                                 << QByteArray("a\x01"
                                               "b\x1f");
    QTest::newRow("decimal") << QByteArray("&#0;&#11;") << QByteArray("\0\x0b", 2);
    QTest::newRow("as it is") << QByteArray("a\x02z") << QByteArray("a\x02z");
    QTest::newRow("no character") << QByteArray("&#xFFFE;") << QByteArray("\xef\xbf\xbe");
    QTest::newRow("beside private use") << QByteArray("\xee\x80\x80&#x1;&#xE001;&#57346;")
                                        << QByteArray("\xee\x80\x80\x01\xee\x80\x81\xee\x80\x82");
    QTest::newRow("written, not meant") << QByteArray("&amp;#x1;") << QByteArray("&#x1;");
}

void TestAzureQueueForms::charactersThatXmlDoesNotHaveAreKept()
{
    QFETCH(QByteArray, xml);
    QFETCH(QByteArray, body);
    const auto read = messagesFrom(listOf(messageOf(xml)));
    QVERIFY2(read, read ? "" : qPrintable(read.error().detail));
    QVERIFY(!read->constFirst().damaged);
    const broker::ReceivedMessage held = heldFrom(read->constFirst());
    QCOMPARE(held.envelope.body, body);
    const auto text = textFrom(held.envelope);
    QVERIFY(text);
    const QByteArray sent = messageXml(*text);
    const auto again =
        messagesFrom(listOf("<QueueMessage><MessageId>a</MessageId>" + sent.mid(sent.indexOf("<MessageText>"))));
    QVERIFY2(again, again ? "" : qPrintable(again.error().detail));
    QCOMPARE(again->constFirst().text, read->constFirst().text);
}

void TestAzureQueueForms::halfACharacterIsTold()
{
    const auto read = messagesFrom(listOf(messageOf("a&#xD800;b")));
    QVERIFY(read);
    QVERIFY(heldFrom(read->constFirst()).notFaithful);
    QCOMPARE(read->constFirst().text, QStringLiteral("a\ufffdb"));
}

void TestAzureQueueForms::queueNamesAreRead()
{
    const auto read =
        queueNamesFrom("<EnumerationResults ServiceEndpoint=\"x\"><Queues><Queue><Name>orders</Name>"
                       "<Metadata><Name>no queue</Name></Metadata></Queue><Queue><Name>orders-poison</Name>"
                       "</Queue></Queues><NextMarker>/a/b+c</NextMarker></EnumerationResults>");
    QVERIFY(read);
    QCOMPARE(read->names, QStringList({QStringLiteral("orders"), QStringLiteral("orders-poison")}));
    QCOMPARE(read->next, QByteArray("/a/b+c"));
}

void TestAzureQueueForms::textGoesBackAsItCame_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char *name, const char *text, const char *body) {
        QTest::newRow(name) << QString::fromUtf8(text) << QByteArray(body);
    };
    row("text", "hello", "hello");
    row("empty", "", "");
    row("JSON", R"({"a":"b"})", R"({"a":"b"})");
    row("base64 of JSON", "eyJhIjoxfQ==", "{\"a\":1}");
    row("base64 of a line", "aGVsbG8=", "hello");
    row("base64 of binary stays", "AAEC", "AAEC");
    row("base64 of no UTF-8 stays", "test", "test");
    row("base64 with a line end stays", "aGVsbG8=\n", "aGVsbG8=\n");
    row("base64 that is spelled oddly stays", "aGVsbG9=", "aGVsbG9=");
    row("base64 of a byte order mark stays", "77u/aGVsbG8u", "77u/aGVsbG8u");
    // QString::fromUtf8 drops one at the start.
    const QByteArray mark("\xef\xbb\xbf");
    const QString character(QChar::ByteOrderMark);
    QTest::newRow("byte order mark") << character + QStringLiteral("{}") << mark + "{}";
    QTest::newRow("nothing but a byte order mark") << character << mark;
    QTest::newRow("two byte order marks") << character + character + QStringLiteral("a") << mark + mark + "a";
    QTest::newRow("byte order mark within") << QStringLiteral("a") + character << "a" + mark;
    row("line ends", "a\r\nb\rc\n", "a\r\nb\rc\n");
}

void TestAzureQueueForms::textGoesBackAsItCame()
{
    QFETCH(QString, text);
    QFETCH(QByteArray, body);
    QueuedMessage message;
    message.id = QStringLiteral("a");
    message.text = text;
    records::Envelope envelope = heldFrom(message).envelope;
    QCOMPARE(envelope.body, body);
    records::set(envelope.headers, QStringLiteral("Redrive-Stamp"), QStringLiteral("1;x")); // stays behind
    const auto back = textFrom(envelope);
    QVERIFY(back);
    QCOMPARE(*back, text);
    QCOMPARE(messagesFrom(listOf("<QueueMessage><MessageId>a</MessageId>"
                                 + messageXml(*back).mid(messageXml(*back).indexOf("<MessageText>"))))
                 ->constFirst()
                 .text,
             text);
}

void TestAzureQueueForms::whatIsNoTextIsRefused()
{
    records::Envelope envelope;
    envelope.body = "\xff\xfe";
    QVERIFY(textFrom(envelope).error().kind == ErrorKind::Rejected);
    envelope.body = "x";
    records::set(envelope.headers, QStringLiteral("Priority"), QStringLiteral("High"));
    QVERIFY(textFrom(envelope).error().kind == ErrorKind::Rejected);
}

void TestAzureQueueForms::everyStatusHasAKindAndAVerdict_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<Verdict>("verdict");
    const auto row = [](int status, const char *code, ErrorKind kind, Verdict verdict) {
        QTest::addRow("%d %s", status, code) << status << QByteArray(code) << kind << verdict;
    };
    row(200, "", ErrorKind::Rejected, Verdict::Unknown); // a page of somebody else
    row(201, "", ErrorKind::Rejected, Verdict::Accepted);
    row(307, "", ErrorKind::Rejected, Verdict::NotSent);
    row(400, "OutOfRangeQueryParameterValue", ErrorKind::Rejected, Verdict::Rejected);
    row(400, "InvalidResourceName", ErrorKind::Rejected, Verdict::NoSuchDestination);
    row(401, "", ErrorKind::Unauthorized, Verdict::NotSent);
    row(403, "AuthenticationFailed", ErrorKind::Unauthorized, Verdict::NotSent);
    row(404, "QueueNotFound", ErrorKind::NotFound, Verdict::NoSuchDestination);
    row(408, "", ErrorKind::Transient, Verdict::Unknown);
    row(409, "QueueBeingDeleted", ErrorKind::Conflict, Verdict::NoSuchDestination);
    row(409, "QueueDisabled", ErrorKind::Conflict, Verdict::NotSent);
    row(412, "", ErrorKind::Conflict, Verdict::NotSent);
    row(413, "RequestBodyTooLarge", ErrorKind::Rejected, Verdict::Rejected);
    row(429, "", ErrorKind::Throttled, Verdict::NotSent);
    row(500, "InternalError", ErrorKind::Transient, Verdict::Unknown);
    row(503, "ServerBusy", ErrorKind::Throttled, Verdict::NotSent);
    row(504, "", ErrorKind::Transient, Verdict::Unknown);
}

void TestAzureQueueForms::everyStatusHasAKindAndAVerdict()
{
    QFETCH(int, status);
    QFETCH(QByteArray, code);
    QFETCH(ErrorKind, kind);
    QFETCH(Verdict, verdict);
    const support::FakeClock clock;
    Response response = refusal(status, code);
    response.headers.append(http::HeaderField{"Retry-After", "7"});
    response.body = "<Error><Code>x</Code><Message>Words &amp; more sig=s3cret.\nTime:1</Message></Error>";
    const core::Error error = errorOf(response, QStringLiteral("It failed"), clock.now());
    QVERIFY(error.kind == kind);
    QCOMPARE(error.retryAfter, core::Milliseconds{7000});
    QVERIFY(error.message.startsWith(QStringLiteral("It failed (HTTP %1): Words & more sig=***").arg(status)));
    QVERIFY(!error.message.contains(QLatin1String("s3cret")));
    QCOMPARE(error.message.contains(QLatin1String("64 KB")), status == 413);
    QVERIFY(verdictOf(response) == verdict);
}

void TestAzureQueueForms::aWrongClockIsToldFromAWrongKey()
{
    const support::FakeClock clock; // 03:04:05
    const auto words = [&clock](const char *date) {
        Response response = refusal(403, "AuthenticationFailed");
        response.headers.append(http::HeaderField{"Date", date});
        return errorOf(response, QStringLiteral("It failed"), clock.now()).message;
    };
    QVERIFY(words("Fri, 02 Jan 2026 03:05:05 GMT").contains(QLatin1String("the key")));
    QVERIFY(words("Fri, 02 Jan 2026 03:34:05 GMT").contains(QLatin1String("30 minutes behind")));
    QVERIFY(words("Fri, 02 Jan 2026 02:44:05 GMT").contains(QLatin1String("20 minutes ahead")));
    QVERIFY(words("no date").contains(QLatin1String("the key")));
    QVERIFY(lacksRight(refusal(403, "AuthorizationPermissionMismatch")));
    QVERIFY(!lacksRight(refusal(403, "AuthenticationFailed")));
}

REDRIVE_TEST(TestAzureQueueForms)
#include "tst_azurequeueforms.moc"
