#include "backend/localbroker/http/atom.h"
#include "backend/localbroker/http/route.h"
#include "backend/localbroker/http/sas.h"
#include "backend/localbroker/http/wire.h"
#include "tests/support/fakeclock.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using localbroker::Draft;
using localbroker::Route;
using Action = localbroker::Route::Action;

class TestRestForms final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pathsAreReadFromTheRight_data();
    void pathsAreReadFromTheRight();
    void aLockPathLeadsBack();
    void tokensAreChecked_data();
    void tokensAreChecked();
    void theCapturedSendIsUnderstood();
    void batchesKeepKinds();
    void hostileBatchesAreRefused_data();
    void hostileBatchesAreRefused();
    void durationsSurvive_data();
    void durationsSurvive();
    void durationsAreWrittenAsTheServiceDoes();
    void aDescriptionOfMicrosoftsClientIsUnderstood();
};

void TestRestForms::pathsAreReadFromTheRight_data()
{
    QTest::addColumn<QByteArray>("verb");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<int>("action");
    QTest::addColumn<QString>("queue");
    QTest::addColumn<bool>("dead");
    const auto row = [](const char *verb, const char *path, Action action, const char *queue, bool dead = false) {
        QTest::addRow("%s %s", verb, path)
            << QByteArray(verb) << QByteArray(path) << int(action) << QString::fromUtf8(queue) << dead;
    };
    row("POST", "/orders/messages", Action::Send, "orders");
    row("POST", "/orders/Messages/Head", Action::PeekLock, "orders");
    row("DELETE", "/orders/messages/head", Action::ReceiveAndDelete, "orders");
    row("DELETE", "/orders/messages/5/abc", Action::Complete, "orders");
    row("PUT", "/orders/messages/5/abc", Action::Abandon, "orders");
    row("POST", "/orders/messages/5/abc", Action::Renew, "orders");
    row("POST", "/orders/$DeadLetterQueue/Messages/Head", Action::PeekLock, "orders", true);
    row("POST", "/team/orders/%24deadletterqueue/messages/head", Action::PeekLock, "team/orders", true);
    row("POST", "/team%2Forders/messages", Action::Send, "team/orders");
    row("POST", "/messages/messages", Action::Send, "messages");
    row("POST", "/a/messages/messages/head", Action::PeekLock, "a/messages");
    row("GET", "/orders", Action::GetQueue, "orders");
    row("PUT", "/orders", Action::PutQueue, "orders");
    row("DELETE", "/orders", Action::DeleteQueue, "orders");
    row("GET", "/$Resources/Queues", Action::ListQueues, "");
    row("GET", "/$Resources/topics", Action::ListTopics, "");
    row("POST", "/t/messages", Action::Send, "t");
    row("POST", "/team/t/Subscriptions/s/Messages/Head", Action::PeekLock, "team/t/Subscriptions/s");
    row("POST", "/t/subscriptions/s/$DeadLetterQueue/messages/head", Action::PeekLock, "t/subscriptions/s", true);
    row("PUT", "/t/subscriptions/s", Action::PutQueue, "t/subscriptions/s");
    row("GET", "/team/t/Subscriptions/", Action::ListSubscriptions, "team/t");
    row("DELETE", "/t/Subscriptions", Action::Unknown, "t");
    row("GET", "/subscriptions", Action::GetQueue, "subscriptions");
    row("GET", "/t/Subscriptions/s/Rules/", Action::ListRules, "t/Subscriptions/s");
    row("GET", "/rules", Action::GetQueue, "rules");
    row("GET", "/q/rules", Action::GetQueue, "q/rules");
    row("PUT", "/t/subscriptions/s/rules/r", Action::Unknown, "t/subscriptions/s/rules/r");
    row("GET", "/$namespaceinfo", Action::Namespace, "");
    row("GET", "/", Action::Namespace, "");
    row("GET", "/$redrive/info", Action::Info, "");
    row("GET", "/orders/$redrive/browse", Action::Browse, "orders");
    row("POST", "/orders/$redrive/deadletter/5/abc", Action::DeadLetter, "orders");
    row("POST", "/orders/$redrive/defer/5/abc", Action::Defer, "orders");
    row("POST", "/orders/$redrive/receive/5", Action::ReceiveDeferred, "orders");
    row("PATCH", "/orders", Action::Unknown, "orders");
    row("POST", "/$Resources/Queues", Action::Unknown, "");
}

void TestRestForms::pathsAreReadFromTheRight()
{
    QFETCH(QByteArray, verb);
    QFETCH(QByteArray, path);
    QFETCH(int, action);
    QFETCH(QString, queue);
    QFETCH(bool, dead);
    const Route route = localbroker::routeOf(verb, path);
    QCOMPARE(int(route.action), action);
    QCOMPARE(route.place.queue, queue);
    QCOMPARE(route.place.deadLetter, dead);
}

void TestRestForms::aLockPathLeadsBack()
{
    const QByteArray path = localbroker::lockPath({QStringLiteral("team/a b\u00fc%"), true}, 5, QStringLiteral("t-1"));
    const Route route = localbroker::routeOf("DELETE", path);
    QCOMPARE(int(route.action), int(Action::Complete));
    QCOMPARE(route.place.queue, QStringLiteral("team/a b\u00fc%"));
    QVERIFY(route.place.deadLetter);
    QCOMPARE(route.sequence, 5);
    QCOMPARE(route.lockToken, QStringLiteral("t-1"));
}

void TestRestForms::tokensAreChecked_data()
{
    QTest::addColumn<QByteArray>("token");
    QTest::addColumn<QByteArray>("asked");
    QTest::addColumn<bool>("good");
    // reference vector "sbsas"
    const QByteArray vector =
        "SharedAccessSignature sr=https%3A%2F%2Fmyns.servicebus.windows.net%2Forders"
        "&sig=IO6o04zE9d6YcG6vmBllS43794Hc0B4Ov8qW72FwQOM%3D&se=1798761600&skn=RootManageSharedAccessKey";
    const QByteArray host = "myns.servicebus.windows.net";
    QTest::newRow("the entity") << vector << QByteArray(host + "/orders") << true;
    QTest::newRow("below it, other case, with port")
        << vector << QByteArray(host + ":443/Orders/Messages/Head") << true;
    QTest::newRow("another entity") << vector << QByteArray(host + "/orders2/messages") << false;
    QTest::newRow("the namespace") << vector << QByteArray(host + "/") << false;
    QTest::newRow("later expiry") << QByteArray(vector).replace("1798761600", "1898761600")
                                  << QByteArray(host + "/orders") << false;
    QTest::newRow("other key") << QByteArray(vector).replace("RootManage", "Other") << QByteArray(host + "/orders")
                               << false;
    QTest::newRow("no token") << QByteArray() << QByteArray(host + "/orders") << false;
    QTest::newRow("bearer") << QByteArray("Bearer abc") << QByteArray(host + "/orders") << false;
    QTest::newRow("empty fields") << QByteArray("SharedAccessSignature sr=&sig=&se=&skn=")
                                  << QByteArray(host + "/orders") << false;
}

void TestRestForms::tokensAreChecked()
{
    QFETCH(QByteArray, token);
    QFETCH(QByteArray, asked);
    QFETCH(bool, good);
    const localbroker::Keys keys{
        {QStringLiteral("RootManageSharedAccessKey"), QStringLiteral("c2VjcmV0LWtleS1mb3ItdGVzdHM=")}};
    const support::FakeClock clock;
    QCOMPARE(localbroker::checkSas(token, asked, keys, clock.now()).isEmpty(), good);
    QVERIFY(!localbroker::checkSas(token, asked, keys, core::fromMs(1798761600000)).isEmpty()); // expired
    QVERIFY(localbroker::checkSas(token, asked, {}, clock.now()).isEmpty()); // open to everybody
}

void TestRestForms::theCapturedSendIsUnderstood()
{
    // Captured from azure-sb (protocols.md F).
    localbroker::HttpRequest request;
    request.headers = {{"content-type", "application/json"},
                       {"Accept-Charset", "UTF-8"},
                       {"host", "127.0.0.1"},
                       {"brokerproperties",
                        R"({"MessageId":"m-1","CorrelationId":"c-1","Label":"lbl",)"
                        R"("ScheduledEnqueueTimeUtc":"Fri, 20 Nov 2026 19:00:00 GMT","TimeToLive":60})"},
                       {"Priority", "\"High\""},
                       {"Retries", "3"},
                       {"authorization", "SharedAccessSignature x"}};
    request.body = "{}";
    const auto drafts = localbroker::draftsOf(request);
    QVERIFY(drafts.has_value());
    const Draft &draft = drafts->constFirst();
    QCOMPARE(draft.messageId, QStringLiteral("m-1"));
    QCOMPARE(*draft.contentType, QByteArray("application/json"));
    QCOMPARE(draft.timeToLive, std::optional(core::Milliseconds{60000}));
    QVERIFY(draft.scheduledFor.has_value());
    QCOMPARE(draft.properties, (QList<localbroker::Property>{{"Priority", "\"High\""}, {"Retries", "3"}}));
    const auto back = localbroker::draftFromCbor(localbroker::draftToCbor(draft));
    QVERIFY(back && back->properties == draft.properties && back->messageId == draft.messageId);
}

void TestRestForms::batchesKeepKinds()
{
    localbroker::HttpRequest request;
    request.headers = {{"Content-Type", "application/vnd.microsoft.servicebus.json"}};
    request.body = R"([{"Body":"first","BrokerProperties":{"Label":"M1","TimeToLiveTimeSpan":"0.00:00:40"}},)"
                   R"({"Body":"AP8=","IsBodyBase64":true,"UserProperties":{"n":3,"t":"3","b":true}}])";
    const auto drafts = localbroker::draftsOf(request);
    QVERIFY(drafts.has_value());
    QCOMPARE(drafts->size(), 2);
    QCOMPARE(drafts->at(0).timeToLive, std::optional(core::Milliseconds{40000}));
    QCOMPARE(drafts->at(1).body, QByteArray("\0\xff", 2));
    const QList<localbroker::Property> properties{{"b", "true"}, {"n", "3"}, {"t", "\"3\""}};
    QCOMPARE(drafts->at(1).properties, properties);
}

void TestRestForms::hostileBatchesAreRefused_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("no messages") << QByteArray("[]");
    QTest::newRow("an object") << QByteArray("{}");
    QTest::newRow("numbers") << QByteArray("[1,2]");
    QTest::newRow("no body") << QByteArray("[{}]");
    QTest::newRow("bad base64") << QByteArray(R"([{"Body":"***","IsBodyBase64":true}])");
    QTest::newRow("deep") << QByteArray(100000, '[');
}

void TestRestForms::hostileBatchesAreRefused()
{
    QFETCH(QByteArray, body);
    localbroker::HttpRequest request;
    request.headers = {{"Content-Type", "application/vnd.microsoft.servicebus.json"}};
    request.body = body;
    QVERIFY(!localbroker::draftsOf(request).has_value());
}

void TestRestForms::durationsSurvive_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("ms"); // -1: never, -2: refused
    QTest::newRow("seconds") << QStringLiteral("PT30S") << qint64{30000};
    QTest::newRow("mixed") << QStringLiteral("P1DT2H3M4.5S") << qint64{93784500};
    QTest::newRow("never") << QStringLiteral("P10675199DT2H48M5.4775807S") << qint64{-1};
    QTest::newRow("word") << QStringLiteral("soon") << qint64{-2};
    QTest::newRow("negative") << QStringLiteral("-PT5S") << qint64{-2};
}

void TestRestForms::durationsSurvive()
{
    QFETCH(QString, text);
    QFETCH(qint64, ms);
    const auto duration = localbroker::fromDuration(text);
    QCOMPARE(duration.has_value(), ms != -2);
    if (duration) {
        QCOMPARE(duration->has_value() ? qint64{(*duration)->count()} : qint64{-1}, ms);
        QCOMPARE(*localbroker::fromDuration(localbroker::toDuration(*duration)), *duration);
    }
}

// Clients compare what they read with what they wrote.
void TestRestForms::durationsAreWrittenAsTheServiceDoes()
{
    for (const char *text : {"P1D", "PT1H", "PT45S", "PT1M", "P14DT3H", "PT10M0.250S", "PT1.001S", "PT0S", "P1DT1S"})
        QCOMPARE(localbroker::toDuration(*localbroker::fromDuration(QLatin1StringView(text))), QLatin1StringView(text));
    QCOMPARE(localbroker::toDuration(*localbroker::fromDuration(QStringLiteral("PT86400S"))), QStringLiteral("P1D"));
    QCOMPARE(localbroker::toDuration(*localbroker::fromDuration(QStringLiteral("PT90S"))), QStringLiteral("PT1M30S"));
}

void TestRestForms::aDescriptionOfMicrosoftsClientIsUnderstood()
{
    const auto settings = localbroker::settingsFromEntry(
        QStringLiteral("orders"),
        "<entry xmlns=\"http://www.w3.org/2005/Atom\"><updated/><content type=\"application/xml\"><QueueDescription>"
        "<LockDuration>PT30S</LockDuration><MaxDeliveryCount>3</MaxDeliveryCount>"
        "<DeadLetteringOnMessageExpiration>true</DeadLetteringOnMessageExpiration></QueueDescription></content></"
        "entry>");
    QVERIFY(settings.has_value());
    QCOMPARE(settings->lockDuration, core::Milliseconds{30000});
    QCOMPARE(settings->maxDeliveryCount, 3);
    QVERIFY(settings->deadLetteringOnExpiration);
    QVERIFY(!localbroker::settingsFromEntry(QStringLiteral("q"), "<entry><content>").has_value());
}

REDRIVE_TEST(TestRestForms)
#include "tst_restforms.moc"
