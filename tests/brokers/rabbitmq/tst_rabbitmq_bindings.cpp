// Bindings of the RabbitMQ of Debian: what Redrive reads from them is where the broker routes a message.
#include "backend/broker/rabbitmq/bindings.h"
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/core/random.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using broker::Routes;
using broker::rabbitmq::ManagementApi;
using core::ErrorKind;
using core::Result;
using support::RabbitAdmin;
using support::RabbitConsole;
using support::RabbitServer;

namespace {

constexpr int timeoutMs = 120000;

} // namespace

class TestRabbitMqBindings final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void topicsAreMatchedAsTheBrokerDoes();
    void everyKindOfExchangeIsFollowed_data();
    void everyKindOfExchangeIsFollowed();
    void aMissingExchangeIsNotFound();
    void aPolicyNamesTheAlternateExchange();
    void aLoginWithoutRightsIsRefused();
    void thePlanShowsWhereTheMessagesWent();

private:
    void makeExchange(const QString &name, const QString &type, const QCborMap &arguments = {});
    void bind(const QString &exchange, const QString &to, const QString &key, char kind = 'q');
    void publish(const QString &exchange, const QString &key);
    // The queues that got something since the last call.
    [[nodiscard]] QStringList arrived();
    [[nodiscard]] Result<Routes> routesOf(const QString &exchange, const QString &key);

    RabbitServer m_server;
    QTemporaryDir m_folder;
    std::unique_ptr<RabbitAdmin> m_admin;
};

void TestRabbitMqBindings::initTestCase()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    QVERIFY2(m_server.start(), qPrintable(m_server.error()));
    m_admin = std::make_unique<RabbitAdmin>(m_server, QStringLiteral("shop"));
    m_admin->makeVhost();
}

void TestRabbitMqBindings::makeExchange(const QString &name, const QString &type, const QCborMap &arguments)
{
    ManagementApi &api = m_admin->api();
    const QCborMap body{{QStringLiteral("type"), type}, {QStringLiteral("arguments"), arguments}};
    test::must(m_server.wait(api.put(api.exchangePath(name), body, name)));
}

void TestRabbitMqBindings::bind(const QString &exchange, const QString &to, const QString &key, char kind)
{
    ManagementApi &api = m_admin->api();
    const QByteArray path = "/bindings/" + api.vhost() + "/e/" + ManagementApi::encoded(exchange) + '/' + kind + '/'
                            + ManagementApi::encoded(to);
    const QCborMap body{{QStringLiteral("routing_key"), key}, {QStringLiteral("arguments"), QCborMap()}};
    test::must(m_server.wait(api.post(path, body, exchange)));
}

void TestRabbitMqBindings::publish(const QString &exchange, const QString &key)
{
    ManagementApi &api = m_admin->api();
    const QByteArray path = exchange.isEmpty() ? api.exchangePath(u"amq.default") : api.exchangePath(exchange);
    const QCborMap body{{QStringLiteral("properties"), QCborMap()},
                        {QStringLiteral("routing_key"), key},
                        {QStringLiteral("payload"), QStringLiteral("order")},
                        {QStringLiteral("payload_encoding"), QStringLiteral("string")}};
    test::must(m_server.wait(api.post(path + "/publish", body, exchange)));
}

QStringList TestRabbitMqBindings::arrived()
{
    QStringList names;
    const auto queues = test::must(m_server.wait(m_admin->api().liveQueues({})));
    for (const broker::rabbitmq::LiveQueue &queue : queues) {
        if (queue.messages.value_or(0) == 0)
            continue;
        names.append(queue.name);
        test::must(m_server.wait(m_admin->api().purge(queue.name)));
    }
    names.sort();
    return names;
}

Result<Routes> TestRabbitMqBindings::routesOf(const QString &exchange, const QString &key)
{
    core::SeededRandom random(1);
    broker::RabbitMq rabbit(m_server.client(), m_server.clock(), random, m_server.settings(QStringLiteral("shop")));
    return m_server.wait(rabbit.routesOf(exchange, {key}));
}

void TestRabbitMqBindings::topicsAreMatchedAsTheBrokerDoes()
{
    const QString topic = QStringLiteral("topics");
    makeExchange(topic, QStringLiteral("topic"));
    const QStringList patterns{QStringLiteral("#"),        QStringLiteral("*"),          QStringLiteral("orders.*"),
                               QStringLiteral("orders.#"), QStringLiteral("*.created"),  QStringLiteral("orders.#.eu"),
                               QStringLiteral("#.eu.#"),   QStringLiteral("orders..eu"), QString(),
                               QStringLiteral("#.*")};
    for (const QString &pattern : patterns) {
        const QString queue = QStringLiteral("t:") + pattern;
        m_admin->makeQueue(queue);
        bind(topic, queue, pattern);
    }
    for (const char *text : {"", "orders", "orders.created", "orders.created.eu", "orders.eu", "orders..eu", "orders.",
                             ".", "eu", "a.eu.b"}) {
        const QString key = QString::fromLatin1(text);
        publish(topic, key);
        const QStringList truth = arrived();
        const Routes read = test::must(routesOf(topic, key));
        QVERIFY2(read.queues == truth,
                 qPrintable(QStringLiteral("%1: %2, not %3")
                                .arg(key, read.queues.join(QLatin1Char(' ')), truth.join(QLatin1Char(' ')))));
    }
}

void TestRabbitMqBindings::everyKindOfExchangeIsFollowed_data()
{
    QTest::addColumn<QString>("exchange");
    QTest::addColumn<QString>("key");
    QTest::addColumn<bool>("certain");
    QTest::newRow("direct") << QStringLiteral("direct") << QStringLiteral("k") << true;
    QTest::newRow("direct, another key") << QStringLiteral("direct") << QStringLiteral("other") << true;
    QTest::newRow("fanout") << QStringLiteral("fanout") << QStringLiteral("whatever") << true;
    QTest::newRow("through exchanges, in a cycle") << QStringLiteral("first") << QStringLiteral("k") << true;
    QTest::newRow("default") << QString() << QStringLiteral("a") << true;
    QTest::newRow("headers") << QStringLiteral("by headers") << QStringLiteral("k") << false;
}

void TestRabbitMqBindings::everyKindOfExchangeIsFollowed()
{
    QFETCH(const QString, exchange);
    QFETCH(const QString, key);
    QFETCH(const bool, certain);
    for (const char *queue : {"a", "b", "c"})
        m_admin->makeQueue(QString::fromLatin1(queue));
    const QString direct = QStringLiteral("direct");
    makeExchange(direct, direct);
    makeExchange(QStringLiteral("fanout"), QStringLiteral("fanout"));
    makeExchange(QStringLiteral("first"), QStringLiteral("topic"));
    makeExchange(QStringLiteral("by headers"), QStringLiteral("headers"));
    bind(direct, QStringLiteral("a"), QStringLiteral("k"));
    bind(direct, QStringLiteral("b"), QStringLiteral("l"));
    bind(QStringLiteral("fanout"), QStringLiteral("b"), {});
    bind(QStringLiteral("fanout"), QStringLiteral("c"), QStringLiteral("ignored"));
    bind(QStringLiteral("first"), direct, QStringLiteral("#"), 'e');
    bind(QStringLiteral("first"), QStringLiteral("c"), QStringLiteral("*"));
    bind(direct, QStringLiteral("first"), QStringLiteral("k"), 'e');
    publish(exchange, key);
    const QStringList truth = arrived();
    const Routes read = test::must(routesOf(exchange, key));
    QCOMPARE(read.isCertain(), certain);
    if (certain)
        QCOMPARE(read.queues, truth);
    else
        QCOMPARE(read.undecided, QStringList{exchange});
}

void TestRabbitMqBindings::aMissingExchangeIsNotFound()
{
    QVERIFY(routesOf(QStringLiteral("never there"), QStringLiteral("k")).error().kind == ErrorKind::NotFound);
}

void TestRabbitMqBindings::aPolicyNamesTheAlternateExchange()
{
    makeExchange(QStringLiteral("own"), QStringLiteral("direct"),
                 {{QStringLiteral("alternate-exchange"), QStringLiteral("unrouted")}});
    QCOMPARE(test::must(routesOf(QStringLiteral("own"), QStringLiteral("k"))).alternate, QStringLiteral("unrouted"));
    makeExchange(QStringLiteral("ruled"), QStringLiteral("direct"));
    ManagementApi &api = m_admin->api();
    const QCborMap policy{
        {QStringLiteral("pattern"), QStringLiteral("^ruled$")},
        {QStringLiteral("apply-to"), QStringLiteral("exchanges")},
        {QStringLiteral("definition"), QCborMap{{QStringLiteral("alternate-exchange"), QStringLiteral("spare")}}}};
    test::must(m_server.wait(api.put("/policies/" + api.vhost() + "/ae", policy, QStringLiteral("ae"))));
    QTRY_COMPARE_WITH_TIMEOUT(test::must(routesOf(QStringLiteral("ruled"), QStringLiteral("k"))).alternate,
                              QStringLiteral("spare"), timeoutMs);
}

void TestRabbitMqBindings::aLoginWithoutRightsIsRefused()
{
    makeExchange(QStringLiteral("private"), QStringLiteral("fanout"));
    RabbitAdmin other(m_server, QStringLiteral("other"));
    other.makeVhost();
    other.makeUser(QStringLiteral("guest of other"), QStringLiteral("pw"), QStringLiteral("management"));
    broker::rabbitmq::Settings settings = m_server.settings(QStringLiteral("shop"));
    settings.authorization = "Basic " + QByteArray("guest of other:pw").toBase64();
    core::SeededRandom random(1);
    broker::RabbitMq rabbit(m_server.client(), m_server.clock(), random, settings);
    const Result<Routes> refused = m_server.wait(rabbit.routesOf(QStringLiteral("private"), {QStringLiteral("k")}));
    QVERIFY(!refused && refused.error().kind == ErrorKind::Unauthorized);
}

void TestRabbitMqBindings::thePlanShowsWhereTheMessagesWent()
{
    const QString exchange = QStringLiteral("orders-x");
    const QString key = QStringLiteral("orders.created");
    m_admin->makeQueue(QStringLiteral("error"));
    m_admin->makeQueue(QStringLiteral("billing"));
    m_admin->makeQueue(QStringLiteral("orders"),
                       {{QStringLiteral("x-dead-letter-exchange"), QString()},
                        {QStringLiteral("x-dead-letter-routing-key"), QStringLiteral("error")}});
    makeExchange(exchange, QStringLiteral("topic"));
    bind(exchange, QStringLiteral("orders"), QStringLiteral("orders.*"));
    bind(exchange, QStringLiteral("billing"), key);
    publish(exchange, key);
    ManagementApi &api = m_admin->api();
    const QCborMap reject{{QStringLiteral("count"), 1},
                          {QStringLiteral("ackmode"), QStringLiteral("reject_requeue_false")},
                          {QStringLiteral("encoding"), QStringLiteral("auto")}};
    test::must(m_server.wait(api.post(api.queuePath(u"orders") + "/get", reject, QStringLiteral("orders"))));
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->depth(QStringLiteral("error")), 1, timeoutMs);

    RabbitConsole console(m_folder.filePath(QStringLiteral("store/redrive.db")),
                          m_server.connection(QStringLiteral("shop"), {QStringLiteral("error")}));
    console.open();
    const Result<records::IntakeCounts> taken = console.takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    api::RetryDraft draft;
    draft.filter.connection = console.connection();
    const api::PlanPreview plan = test::must(console.client().ask(api::PreviewRetry{draft}).result());
    QCOMPARE(plan.destinations.size(), 1);
    const api::PlannedDestination &one = plan.destinations.first();
    QCOMPARE(one.destination.queue, QStringLiteral("orders"));
    QCOMPARE(one.destination.knownFrom, QStringLiteral("x-death: rejected from orders"));
    QVERIFY(one.route);
    QCOMPARE(one.route->queues, (QStringList{QStringLiteral("billing"), QStringLiteral("orders")}));
    QVERIFY2(one.route->sentence.startsWith(u"Exchange orders-x routes orders.created to: billing, orders"),
             qPrintable(one.route->sentence));
    QCOMPARE(one.choices, QStringList{QStringLiteral("billing")});
    QVERIFY(!one.route->isUnbound);
}

REDRIVE_TEST(TestRabbitMqBindings)
#include "tst_rabbitmq_bindings.moc"
