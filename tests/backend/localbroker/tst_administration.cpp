#include "tests/backend/localbroker/restfixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using localbroker::HttpAnswer;
using support::description;
using support::host;
using support::values;

// Queues, topics and subscriptions over the protocol.
class TestAdministration final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void queuesAreAdministered();
    void whatCannotBeMadeIsSaid_data();
    void whatCannotBeMadeIsSaid();
    void topicsAreAdministered();
    void subscriptionsAreAdministered();
    void entitiesComeInPages_data();
    void entitiesComeInPages();
    void forwardingIsToldAsAnAddress();

private:
    std::unique_ptr<support::FixtureFile> m_file;
};

void TestAdministration::init()
{
    m_file = std::make_unique<support::FixtureFile>();
}

void TestAdministration::queuesAreAdministered()
{
    const auto ask = m_file->open();
    const HttpAnswer made = (*ask)("PUT", "/team/orders",
                                   description("Queue", "<LockDuration>PT30S</LockDuration><MaxDeliveryCount>3</"
                                                        "MaxDeliveryCount><AutoDeleteOnIdle>PT1H</AutoDeleteOnIdle>"));
    QCOMPARE(made.status, 201);
    const HttpAnswer read = (*ask)("GET", "/team/orders");
    QCOMPARE(read.status, 200);
    QCOMPARE(read.body, made.body);
    QCOMPARE(values(read.body, QStringLiteral("id")), QByteArrayList{"http://" + host + "/team/orders"});
    QCOMPARE(values(read.body, QStringLiteral("LockDuration")), QByteArrayList{"PT30S"});
    QCOMPARE(values(read.body, QStringLiteral("AutoDeleteOnIdle")), QByteArrayList{"PT1H"});
    QCOMPARE((*ask)("PUT", "/team/orders").status, 409);

    const HttpAnswer changed =
        (*ask)("PUT", "/team/orders", description("Queue", "<LockDuration>PT45S</LockDuration>"), {{"If-Match", "*"}});
    QCOMPARE(changed.status, 200);
    QCOMPARE(values(changed.body, QStringLiteral("LockDuration")), QByteArrayList{"PT45S"});
    QCOMPARE(values(changed.body, QStringLiteral("MaxDeliveryCount")),
             QByteArrayList{"10"}); // it is the whole description

    for (int i = 0; i < 3; ++i)
        QCOMPARE((*ask)("POST", "/team/orders/messages", "x").status, 201);
    QCOMPARE((*ask)("POST", "/team/orders/messages", "x",
                    {{"BrokerProperties", R"({"ScheduledEnqueueTimeUtc":"2099-01-01T00:00:00Z"})"}})
                 .status,
             201);
    const QByteArray lock = ask->lock("/team/orders").replace("/messages/", "/$redrive/deadletter/");
    QCOMPARE((*ask)("POST", lock, "{}").status, 200);
    const HttpAnswer full = (*ask)("GET", "/team/orders");
    QCOMPARE(values(full.body, QStringLiteral("ActiveMessageCount")), QByteArrayList{"2"});
    QCOMPARE(values(full.body, QStringLiteral("DeadLetterMessageCount")), QByteArrayList{"1"});
    QCOMPARE(values(full.body, QStringLiteral("ScheduledMessageCount")), QByteArrayList{"1"});
    QCOMPARE(values(full.body, QStringLiteral("MessageCount")), QByteArrayList{"4"});

    QCOMPARE((*ask)("DELETE", "/team/orders").status, 200);
    QCOMPARE((*ask)("DELETE", "/team/orders").status, 404);
    const HttpAnswer gone = (*ask)("GET", "/team/orders");
    QCOMPARE(gone.status, 200);
    QVERIFY(values(gone.body, QStringLiteral("QueueDescription")).isEmpty());
    QCOMPARE((*ask)("POST", "/team/orders/messages", "x").status, 410);
    QCOMPARE((*ask)("PUT", "/team/orders", description("Queue", {}), {{"If-Match", "*"}}).status, 404);
}

void TestAdministration::whatCannotBeMadeIsSaid_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("status");
    const auto row = [](const char *what, const char *path, const QByteArray &body, int status) {
        QTest::newRow(what) << QByteArray(path) << body << status;
    };
    row("a topic in place of a queue", "/orders", description("Topic", {}), 409);
    row("a subscription of nothing", "/other/subscriptions/a", {}, 404);
    row("a queue as a subscription", "/topic/subscriptions/a", description("Queue", {}), 400);
    row("a subscription as a queue", "/fresh", description("Subscription", {}), 400);
    row("a dead-letter queue", "/orders/$DeadLetterQueue", {}, 400);
    row("sessions", "/fresh", description("Queue", "<RequiresSession>true</RequiresSession>"), 400);
    row("no XML", "/fresh", "<entry><content><QueueDescription>", 400);
    row("a bad duration", "/fresh", description("Queue", "<LockDuration>soon</LockDuration>"), 400);
    // As the service: LockDuration has at most 5 minutes, AutoDeleteOnIdle at least 5, and a time to live is more than 0.
    const auto setting = [&row](const char *what, const QByteArray &element, int status) {
        row(what, "/fresh", description("Queue", element), status);
    };
    setting("locked for 6 minutes", "<LockDuration>PT6M</LockDuration>", 400);
    setting("locked for 5 minutes", "<LockDuration>PT5M</LockDuration>", 201);
    setting("locked for ever", "<LockDuration>P10675199DT2H48M5.4775807S</LockDuration>", 400);
    setting("not locked", "<LockDuration>PT0S</LockDuration>", 400);
    setting("idle for less than 5 minutes", "<AutoDeleteOnIdle>PT4M59S</AutoDeleteOnIdle>", 400);
    setting("idle for no time", "<AutoDeleteOnIdle>PT0S</AutoDeleteOnIdle>", 400);
    setting("idle for 5 minutes", "<AutoDeleteOnIdle>PT5M</AutoDeleteOnIdle>", 201);
    setting("no time to live", "<DefaultMessageTimeToLive>PT0S</DefaultMessageTimeToLive>", 400);
    row("idle for less, in a topic", "/fresh", description("Topic", "<AutoDeleteOnIdle>PT1M</AutoDeleteOnIdle>"), 400);
    row("to nowhere", "/fresh", description("Queue", "<ForwardTo>nowhere</ForwardTo>"), 400);
    row("to itself", "/fresh", description("Queue", "<ForwardTo>sb://ns/fresh</ForwardTo>"), 400);
    const QByteArray rule = "<DefaultRuleDescription><Filter "
                            "xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" i:type=\"SqlFilter\"><SqlExpression>"
                            "a = 1</SqlExpression></Filter><Name>r</Name></DefaultRuleDescription>";
    row("with a filter", "/topic/subscriptions/a", description("Subscription", rule), 400);
    row("with a filter that lets all through", "/topic/subscriptions/a",
        description("Subscription", QByteArray(rule).replace("SqlFilter", "TrueFilter")), 201);
    row("what comes after a rule counts", "/topic/subscriptions/a",
        description("Subscription",
                    QByteArray(rule).replace("SqlFilter", "TrueFilter") + "<MaxDeliveryCount>0</MaxDeliveryCount>"),
        400);
}

void TestAdministration::whatCannotBeMadeIsSaid()
{
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, body);
    QFETCH(int, status);
    const auto ask = m_file->open();
    (*ask)("PUT", "/orders");
    (*ask)("PUT", "/topic", description("Topic", {}));
    const HttpAnswer answer = (*ask)("PUT", path, body);
    QCOMPARE(answer.status, status);
    if (status != 201)
        QVERIFY(!values(answer.body, QStringLiteral("Detail")).value(0).isEmpty());
}

void TestAdministration::topicsAreAdministered()
{
    const auto ask = m_file->open();
    const HttpAnswer made =
        (*ask)("PUT", "/orders", description("Topic", "<MaxSizeInMegabytes>5</MaxSizeInMegabytes>"));
    QCOMPARE(made.status, 201);
    for (const char *name : {"bills", "parcels"})
        QCOMPARE((*ask)("PUT", QByteArray("/orders/Subscriptions/") + name).status, 201);
    QCOMPARE((*ask)("POST", "/orders/messages", "12345").status, 201);
    const HttpAnswer read = (*ask)("GET", "/Orders");
    QCOMPARE(values(read.body, QStringLiteral("SubscriptionCount")), QByteArrayList{"2"});
    QCOMPARE(values(read.body, QStringLiteral("MaxSizeInMegabytes")), QByteArrayList{"5"});
    QVERIFY(values(read.body, QStringLiteral("SizeInBytes")).constFirst().toInt() >= 10);
    QCOMPARE(values((*ask)("GET", "/$Resources/Topics").body, QStringLiteral("id")).size(), 2); // of the feed and of it
    QCOMPARE(values((*ask)("GET", "/$Resources/Queues").body, QStringLiteral("id")).size(), 1);
    QCOMPARE((*ask)("POST", "/orders/messages/head").status, 400);
    QCOMPARE((*ask)("DELETE", "/orders").status, 200);
    QCOMPARE((*ask)("GET", "/orders/Subscriptions/bills").status, 404);
    QCOMPARE((*ask)("POST", "/orders/Subscriptions/bills/messages/head").status, 410);
}

void TestAdministration::subscriptionsAreAdministered()
{
    const auto ask = m_file->open();
    (*ask)("PUT", "/team/orders", description("Topic", {}));
    QCOMPARE((*ask)("GET", "/team/orders/Subscriptions/bills").status, 404);
    const HttpAnswer made = (*ask)("PUT", "/team/orders/subscriptions/bills",
                                   description("Subscription", "<MaxDeliveryCount>1</MaxDeliveryCount>"));
    QCOMPARE(made.status, 201);
    QCOMPARE(values(made.body, QStringLiteral("id")),
             QByteArrayList{"http://" + host + "/team/orders/Subscriptions/bills"});
    QCOMPARE(values(made.body, QStringLiteral("title")), QByteArrayList{"bills"});
    QCOMPARE((*ask)("POST", "/team/orders/messages", "a").status, 201);
    const QByteArray lock = ask->lock("/team/orders/Subscriptions/bills");
    QVERIFY(lock.startsWith("/team/orders/Subscriptions/bills/messages/"));
    QCOMPARE((*ask)("PUT", lock).status, 200); // its one delivery
    const HttpAnswer read = (*ask)("GET", "/team/orders/SUBSCRIPTIONS/bills");
    QCOMPARE(values(read.body, QStringLiteral("DeadLetterMessageCount")), QByteArrayList{"1"});
    QVERIFY(ask->lock("/team/orders/Subscriptions/bills/$DeadLetterQueue").contains("$DeadLetterQueue"));
    const HttpAnswer changed =
        (*ask)("PUT", "/team/orders/Subscriptions/bills", description("Subscription", {}), {{"If-Match", "*"}});
    QCOMPARE(changed.status, 200);
    const HttpAnswer rules = (*ask)("GET", "/team/orders/Subscriptions/bills/Rules/");
    QCOMPARE(rules.status, 200);
    QCOMPARE(values(rules.body, QStringLiteral("Name")), QByteArrayList{"$Default"});
    QCOMPARE((*ask)("GET", "/team/orders/Subscriptions/nobody/Rules").status, 404);
    QCOMPARE((*ask)("POST", "/team/orders/Subscriptions/bills/messages", "x").status, 410);
    QCOMPARE((*ask)("DELETE", "/team/orders/Subscriptions/bills").status, 200);
    QCOMPARE((*ask)("GET", "/team/orders/Subscriptions/bills").status, 404);
    QCOMPARE((*ask)("GET", "/nobody/Subscriptions").status, 404);
}

void TestAdministration::entitiesComeInPages_data()
{
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QByteArray>("below");
    QTest::addColumn<QByteArray>("kind");
    QTest::newRow("queues") << QByteArray("/$Resources/Queues") << QByteArray("/") << QByteArray("Queue");
    QTest::newRow("topics") << QByteArray("/$Resources/Topics") << QByteArray("/") << QByteArray("Topic");
    QTest::newRow("subscriptions") << QByteArray("/t/Subscriptions/") << QByteArray("/t/Subscriptions/")
                                   << QByteArray("Subscription");
}

void TestAdministration::entitiesComeInPages()
{
    QFETCH(QByteArray, list);
    QFETCH(QByteArray, below);
    QFETCH(QByteArray, kind);
    const auto ask = m_file->open();
    if (kind == "Subscription")
        (*ask)("PUT", "/t", description("Topic", {}));
    for (int i = 0; i < 7; ++i)
        QCOMPARE((*ask)("PUT", below + "p" + QByteArray::number(i), description(kind.constData(), {})).status, 201);
    const HttpAnswer first = (*ask)("GET", list + "?$skip=0&$top=5");
    QCOMPARE(values(first.body, QString::fromLatin1(kind + "Description")).size(), 5);
    QVERIFY(first.body.contains("rel=\"next\""));
    QVERIFY(first.body.contains("$skip=5&amp;$top=5"));
    const HttpAnswer second = (*ask)("GET", list + "?%24skip=5&%24top=5");
    QCOMPARE(values(second.body, QString::fromLatin1(kind + "Description")).size(), 2);
    QVERIFY(!second.body.contains("rel=\"next\""));
    QCOMPARE((*ask)("GET", list + "?$skip=99").status, 200);
}

void TestAdministration::forwardingIsToldAsAnAddress()
{
    const auto ask = m_file->open();
    (*ask)("PUT", "/team/end");
    const HttpAnswer made =
        (*ask)("PUT", "/first",
               description("Queue", "<ForwardTo>sb://ns.servicebus.windows.net/team/end/</ForwardTo>"
                                    "<ForwardDeadLetteredMessagesTo>team/end"
                                    "</ForwardDeadLetteredMessagesTo>"));
    QCOMPARE(made.status, 201);
    const QByteArrayList address{"http://" + host + "/team/end"};
    QCOMPARE(values(made.body, QStringLiteral("ForwardTo")), address);
    QCOMPARE(values(made.body, QStringLiteral("ForwardDeadLetteredMessagesTo")), address);
    // What a client read and writes again changes nothing.
    const HttpAnswer again = (*ask)("PUT", "/first", made.body, {{"If-Match", "*"}});
    QCOMPARE(again.status, 200);
    QCOMPARE(again.body, made.body);
    const HttpAnswer refused = (*ask)("POST", "/first/messages/head");
    QCOMPARE(refused.status, 400);
    QVERIFY(refused.body.contains("auto-forwarding"));
}

REDRIVE_TEST(TestAdministration)
#include "tst_administration.moc"
