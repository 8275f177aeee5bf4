#include "backend/broker/servicebus/sastoken.h"
#include "tests/backend/localbroker/restfixture.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonArray>
#include <QTest>

using localbroker::AccessKey;
using localbroker::Claim;
using localbroker::HeaderList;
using localbroker::HttpAnswer;
using localbroker::Keys;
using support::brokerProperties;
using support::description;
using support::header;
using support::host;
using support::values;

// The protocol as a whole, from the request to the answer, the file included.
class TestRestApi final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aWaitingReceiverOfASubscriptionIsServed();
    void aForwardedMessageSaysWhereItComesFrom();
    void messagesAreDeadLetteredWithAReason();
    void deferredMessagesComeByTheirNumber();
    void messagesAreBrowsedWithoutBeingLocked();
    void deadLettersArePutBack();
    void aWaitingReceiverUsesItsQueue();
    void whoMayDoWhat_data();
    void whoMayDoWhat();
    void allOfItSurvivesARestart();

private:
    std::unique_ptr<support::FixtureFile> m_file;
};

void TestRestApi::init()
{
    m_file = std::make_unique<support::FixtureFile>();
}

void TestRestApi::aWaitingReceiverOfASubscriptionIsServed()
{
    const auto ask = m_file->open();
    (*ask)("PUT", "/end");
    (*ask)("PUT", "/orders", description("Topic", {}));
    (*ask)("PUT", "/orders/Subscriptions/bills");
    (*ask)("PUT", "/orders/Subscriptions/on", description("Subscription", "<ForwardTo>end</ForwardTo>"));
    QByteArrayList got;
    for (const char *path : {"/orders/subscriptions/bills", "/end"}) {
        ask->ask("POST", QByteArray(path) + "/messages/head?timeout=60", {}, {},
                 [&got](const HttpAnswer &answer) { got.append(answer.body); });
    }
    QCOMPARE(got, QByteArrayList());
    QCOMPARE((*ask)("POST", "/orders/messages", "a").status, 201);
    QCOMPARE(got, (QByteArrayList{"a", "a"}));
}

void TestRestApi::aForwardedMessageSaysWhereItComesFrom()
{
    const auto ask = m_file->open();
    (*ask)("PUT", "/graveyard");
    (*ask)("PUT", "/work",
           description("Queue", "<ForwardDeadLetteredMessagesTo>graveyard</ForwardDeadLetteredMessagesTo>"));
    (*ask)("POST", "/work/messages", "a");
    const HttpAnswer plain = (*ask)("GET", "/work/$redrive/browse");
    QVERIFY(plain.body.contains("\"EnqueuedSequenceNumber\":0")); // as the service where nothing was forwarded
    const QByteArray lock = ask->lock("/work").replace("/messages/", "/$redrive/deadletter/");
    QCOMPARE((*ask)("POST", lock, R"({"reason":"Bad","description":"it is"})").status, 200);
    const HttpAnswer dead = (*ask)("POST", "/graveyard/messages/head");
    QCOMPARE(dead.status, 201);
    QCOMPARE(dead.body, QByteArray("a"));
    QCOMPARE(header(dead, "DeadLetterReason"), QByteArray("\"Bad\""));
    QCOMPARE(header(dead, "DeadLetterErrorDescription"), QByteArray("\"it is\""));
    const QJsonObject properties = brokerProperties(dead);
    QCOMPARE(properties.value(QLatin1String("DeadLetterSource")).toString(), QStringLiteral("work"));
    QCOMPARE(properties.value(QLatin1String("EnqueuedSequenceNumber")).toInt(), 1);
    QCOMPARE(properties.value(QLatin1String("SequenceNumber")).toInt(), 2);
    QCOMPARE(properties.value(QLatin1String("DeliveryCount")).toInt(), 1);
}

void TestRestApi::messagesAreDeadLetteredWithAReason()
{
    const auto ask = m_file->open();
    (*ask)("PUT", "/orders");
    (*ask)("POST", "/orders/messages", "a");
    const QByteArray lock = ask->lock("/orders");
    QByteArray path = lock;
    path.replace("/messages/", "/$redrive/deadletter/");
    QCOMPARE((*ask)("POST", path, R"({"reason":"InvalidJson","description":"unexpected end"})").status, 200);
    QCOMPARE((*ask)("POST", path, "{}").status, 404); // the lock is gone
    const HttpAnswer dead = (*ask)("DELETE", "/orders/$DeadLetterQueue/messages/head");
    QCOMPARE(dead.status, 200);
    QCOMPARE(header(dead, "DeadLetterReason"), QByteArray("\"InvalidJson\""));
    QCOMPARE(header(dead, "DeadLetterErrorDescription"), QByteArray("\"unexpected end\""));
}

void TestRestApi::deferredMessagesComeByTheirNumber()
{
    const auto ask = m_file->open();
    (*ask)("PUT", "/orders");
    (*ask)("POST", "/orders/messages", "a");
    const HttpAnswer taken = (*ask)("POST", "/orders/messages/head");
    const QByteArray number =
        QByteArray::number(brokerProperties(taken).value(QLatin1String("SequenceNumber")).toInt());
    QByteArray path = QUrl(QString::fromLatin1(header(taken, "Location"))).path().toLatin1();
    path.replace("/messages/", "/$redrive/defer/");
    QCOMPARE((*ask)("POST", path).status, 200);
    QCOMPARE((*ask)("POST", "/orders/messages/head").status, 204);
    QCOMPARE((*ask)("POST", "/orders/$redrive/receive/999").status, 404);
    const HttpAnswer again = (*ask)("POST", "/orders/$redrive/receive/" + number);
    QCOMPARE(again.status, 201);
    QCOMPARE(again.body, QByteArray("a"));
    QCOMPARE(brokerProperties(again).value(QLatin1String("State")).toString(), QStringLiteral("Deferred"));
    const QByteArray lock = QUrl(QString::fromLatin1(header(again, "Location"))).path().toLatin1();
    QCOMPARE((*ask)("DELETE", lock).status, 200);
    QCOMPARE((*ask)("POST", "/orders/$redrive/receive/" + number).status, 404);
}

void TestRestApi::messagesAreBrowsedWithoutBeingLocked()
{
    const auto ask = m_file->open();
    (*ask)("PUT", "/orders");
    for (int i = 0; i < 5; ++i)
        (*ask)("POST", "/orders/messages", QByteArray::number(i), {{"n", QByteArray::number(i)}});
    QVERIFY(!ask->lock("/orders").isEmpty());
    const auto messages = [&](const QByteArray &query) {
        const HttpAnswer answer = (*ask)("GET", "/orders/$redrive/browse" + query);
        return QJsonDocument::fromJson(answer.body).object().value(QLatin1String("messages")).toArray();
    };
    const QJsonArray first = messages("?top=3");
    QCOMPARE(first.size(), 3);
    QCOMPARE(first.at(0)[QLatin1StringView("Body")].toString(), QString::fromLatin1(QByteArray("0").toBase64()));
    const int last = first.at(2)[QLatin1StringView("BrokerProperties")][QLatin1StringView("SequenceNumber")].toInt();
    QCOMPARE(messages("?from=" + QByteArray::number(last + 1)).size(), 2);
    QCOMPARE(brokerProperties((*ask)("POST", "/orders/messages/head")).value(QLatin1String("DeliveryCount")).toInt(),
             1);
    QCOMPARE((*ask)("GET", "/nobody/$redrive/browse").status, 410);
}

void TestRestApi::deadLettersArePutBack()
{
    auto ask = m_file->open();
    (*ask)("PUT", "/orders", description("Queue", "<DefaultMessageTimeToLive>PT1M</DefaultMessageTimeToLive>"));
    const QByteArray path = "/orders/$DeadLetterQueue/$redrive/deadletter";
    const localbroker::HeaderList why{{"DeadLetterReason", "\"Bad\""}, {"DeadLetterErrorDescription", "\"it is\""}};
    const localbroker::HeaderList batch{{"Content-Type", "application/vnd.microsoft.servicebus.json"}};
    QByteArrayList waiting;
    ask->ask("POST", "/orders/$DeadLetterQueue/messages/head?timeout=60", {}, {},
             [&waiting](const HttpAnswer &answer) { waiting.append(answer.body); });
    QCOMPARE((*ask)("POST", path, "a", why).status, 201);
    QCOMPARE(waiting, QByteArrayList{"a"}); // whoever waits there gets it
    QCOMPARE((*ask)("POST", path, R"([{"Body":"b","UserProperties":{"n":1}},{"Body":"c"}])", batch).status, 201);
    QCOMPARE((*ask)("POST", "/orders/$DeadLetterQueue/messages", "a").status, 400); // as the service
    QCOMPARE((*ask)("POST", "/nobody/$DeadLetterQueue/$redrive/deadletter", "a").status, 410);

    ask.reset();
    ask = m_file->open(); // the locks are gone, and nothing else
    ask->clock.advance(std::chrono::minutes(5)); // dead letters do not expire
    QCOMPARE((*ask)("POST", "/orders/messages/head").status, 204);
    const HttpAnswer first = (*ask)("DELETE", "/orders/$DeadLetterQueue/messages/head");
    QCOMPARE(first.body, QByteArray("a"));
    QCOMPARE(header(first, "DeadLetterReason"), QByteArray("\"Bad\""));
    QCOMPARE(header(first, "DeadLetterErrorDescription"), QByteArray("\"it is\""));
    const HttpAnswer second = (*ask)("DELETE", "/orders/$DeadLetterQueue/messages/head");
    QCOMPARE(second.body, QByteArray("b"));
    QCOMPARE(header(second, "n"), QByteArray("1"));
    QCOMPARE((*ask)("DELETE", "/orders/$DeadLetterQueue/messages/head").body, QByteArray("c"));
    QCOMPARE((*ask)("DELETE", "/orders/$DeadLetterQueue/messages/head").status, 204);
}

void TestRestApi::aWaitingReceiverUsesItsQueue()
{
    const auto ask = m_file->open();
    for (const char *queue : {"/waited", "/idle"})
        (*ask)("PUT", queue, description("Queue", "<AutoDeleteOnIdle>PT5M</AutoDeleteOnIdle>"));
    const auto exists = [&](const QString &queue) { return ask->engine.queue(queue).has_value(); };
    std::function<void()> wait = [&] {
        ask->ask("POST", "/waited/messages/head?timeout=120", {}, {}, [](const HttpAnswer &) {});
    };
    wait();
    ask->clock.advance(std::chrono::minutes(2)); // it waited until now
    ask->clock.advance(std::chrono::minutes(4));
    QVERIFY(exists(QStringLiteral("waited")));
    QVERIFY(!exists(QStringLiteral("idle")));
    wait();
    ask->clock.advance(std::chrono::seconds(90)); // more than 5 minutes after the beginning of the first wait
    QVERIFY(exists(QStringLiteral("waited")));
    ask->clock.advance(std::chrono::minutes(6));
    QVERIFY(!exists(QStringLiteral("waited")));
}

void TestRestApi::whoMayDoWhat_data()
{
    QTest::addColumn<QByteArray>("verb");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QString>("who"); // beside the one who manages
    const auto row = [](const char *verb, const char *path, const char *who) {
        QTest::addRow("%s %s", verb, path) << QByteArray(verb) << QByteArray(path) << QString::fromLatin1(who);
    };
    row("POST", "/orders/messages", "send");
    row("POST", "/topic/messages", "send");
    row("POST", "/orders/messages/head", "listen");
    row("DELETE", "/orders/messages/head", "listen");
    row("DELETE", "/orders/messages/1/x", "listen");
    row("PUT", "/orders/messages/1/x", "listen");
    row("POST", "/orders/messages/1/x", "listen");
    row("GET", "/orders/$redrive/browse", "listen");
    row("POST", "/orders/$redrive/deadletter/1/x", "listen");
    row("POST", "/orders/$DeadLetterQueue/$redrive/deadletter", "send");
    row("POST", "/orders/$redrive/defer/1/x", "listen");
    row("POST", "/orders/$redrive/receive/1", "listen");
    row("POST", "/topic/subscriptions/a/messages/head", "listen");
    for (const char *list : {"/$Resources/Queues", "/$Resources/Topics", "/topic/subscriptions", "/orders",
                             "/topic/subscriptions/a", "/topic/subscriptions/a/rules"})
        row("GET", list, "");
    for (const char *entity : {"/fresh", "/topic/subscriptions/fresh"})
        row("PUT", entity, "");
    for (const char *entity : {"/orders", "/topic/subscriptions/a", "/topic"})
        row("DELETE", entity, "");
    row("GET", "/$redrive/info", "listen send");
}

void TestRestApi::whoMayDoWhat()
{
    QFETCH(QByteArray, verb);
    QFETCH(QByteArray, path);
    QFETCH(QString, who);
    Keys keys;
    const QString secret = QStringLiteral("c2VjcmV0");
    keys.insert(QStringLiteral("listen"), AccessKey(secret, {Claim::Listen}));
    keys.insert(QStringLiteral("send"), AccessKey(secret, {Claim::Send}));
    keys.insert(QStringLiteral("root"), secret);
    const auto ask = m_file->open(keys);
    const auto as = [&](const QString &name) {
        const qint64 expiry = core::toMs(ask->clock.now()) / 1000 + 3600;
        return HeaderList{
            {"Authorization",
             broker::sasToken(QStringLiteral("http://%1/").arg(QString::fromLatin1(host)), name, secret, expiry)}};
    };
    const auto asking = [&](const QString &name) { return (*ask)(verb, path, {}, as(name)); };
    (*ask)("PUT", "/orders", {}, as(QStringLiteral("root")));
    (*ask)("PUT", "/topic", description("Topic", {}), as(QStringLiteral("root")));
    (*ask)("PUT", "/topic/subscriptions/a", {}, as(QStringLiteral("root")));
    for (const QString &name : {QStringLiteral("listen"), QStringLiteral("send")}) {
        const HttpAnswer answer = asking(name);
        QCOMPARE(answer.status != 401, who.contains(name));
        QCOMPARE(answer.body.contains("claim"), !who.contains(name)); // the word that clients look for
    }
    QVERIFY(asking(QStringLiteral("root")).status != 401);
    QCOMPARE((*ask)(verb, path).status, 401);
}

void TestRestApi::allOfItSurvivesARestart()
{
    {
        const auto ask = m_file->open();
        (*ask)("PUT", "/end");
        (*ask)("PUT", "/orders", description("Topic", {}));
        (*ask)("PUT", "/orders/Subscriptions/bills",
               description("Subscription", "<ForwardDeadLetteredMessagesTo>end</ForwardDeadLetteredMessagesTo>"));
        (*ask)("PUT", "/orders/Subscriptions/on", description("Subscription", "<ForwardTo>end</ForwardTo>"));
        QCOMPARE((*ask)("POST", "/orders/messages", "a").status, 201);
        QCOMPARE((*ask)("POST", "/orders/messages", "later",
                        {{"BrokerProperties", R"({"ScheduledEnqueueTimeUtc":"2099-01-01T00:00:00Z"})"}})
                     .status,
                 201);
    }
    const auto ask = m_file->open();
    QCOMPARE(values((*ask)("GET", "/orders").body, QStringLiteral("ScheduledMessageCount")), QByteArrayList{"1"});
    const HttpAnswer forwarded = (*ask)("POST", "/end/messages/head");
    QCOMPARE(forwarded.body, QByteArray("a"));
    QVERIFY(brokerProperties(forwarded).value(QLatin1String("EnqueuedSequenceNumber")).toInt() > 0);
    const QByteArray lock = ask->lock("/orders/Subscriptions/bills").replace("/messages/", "/$redrive/deadletter/");
    QCOMPARE((*ask)("POST", lock, R"({"reason":"Bad"})").status, 200);
    const HttpAnswer dead = (*ask)("POST", "/end/messages/head");
    QCOMPARE(brokerProperties(dead).value(QLatin1String("DeadLetterSource")).toString(),
             QStringLiteral("orders/Subscriptions/bills"));
    QCOMPARE((*ask)("POST", "/orders/messages", "b").status, 201);
    QCOMPARE(values((*ask)("GET", "/orders/Subscriptions/bills").body, QStringLiteral("ActiveMessageCount")),
             QByteArrayList{"1"});
}

REDRIVE_TEST(TestRestApi)
#include "tst_restapi.moc"
