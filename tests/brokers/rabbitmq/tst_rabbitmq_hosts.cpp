// Virtual hosts as others set them up: quorum queues by default, policies of users and operators that reach our names, and limits
// that leave no room. What would break a promise is named before the first message moves, and nothing of ours stays.
#include "backend/broker/rabbitmq/publisher.h"
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/broker/rabbitmq/staging/ownedqueues.h"
#include "backend/core/random.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using broker::rabbitmq::LiveQueue;
using core::ErrorKind;
using core::Result;
using support::RabbitAdmin;
using support::RabbitConsole;
using support::RabbitServer;
using test::must;

namespace {

constexpr int timeoutMs = 180000;
constexpr int count = 300;
const QString errors = QStringLiteral("error");
const QString orders = QStringLiteral("orders");
const QString exception = QStringLiteral("TimeoutException");
const QString everything = QStringLiteral(".*");
const QString houseRule = QStringLiteral("house rule");
const broker::StagingPlace batch{QStringLiteral("redrive.store.1.batch"), {orders}, 0};

records::Envelope failed(int number)
{
    records::Envelope one;
    one.headers = {{QStringLiteral("NServiceBus.MessageId"), QStringLiteral("order-%1").arg(number)},
                   {QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"), QStringLiteral("Shop.") + exception},
                   {QStringLiteral("NServiceBus.FailedQ"), orders},
                   {QStringLiteral("NServiceBus.TimeOfFailure"), QStringLiteral("2026-01-02 03:04:05:000000 Z")}};
    one.properties = {{QStringLiteral("delivery_mode"), 2}};
    one.body = QByteArray::number(number);
    return one;
}

QList<records::Envelope> failures(int most)
{
    QList<records::Envelope> all;
    for (int i = 0; i < most; ++i)
        all.append(failed(i));
    return all;
}

} // namespace

class TestRabbitMqHosts final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void nothingOfOursStaysWhenTheProgramEndsAtOnce();
    void everyQueueOfOursSaysItsType();
    void anExchangePolicyCarriesNothingAway();
    void aPolicyOfOperatorsIsFoundByAnyOfOurNames_data();
    void aPolicyOfOperatorsIsFoundByAnyOfOurNames();
    void aDeliveryLimitOfOperatorsDoesNothingToUs();
    void aLimitOfQueuesIsNamedBeforeAnythingMoves();
    void aLimitOfConnectionsIsNamedBeforeAnythingMoves();
    void aShovelOfOursInTheWayIsWaitedFor();
    void aLimitOfTheUserIsKept();

private:
    [[nodiscard]] broker::TakeRequest page() const;
    void takesAll();

    std::unique_ptr<RabbitServer> m_server; // one for all tests: it takes seconds to start
    QString m_vhost;
    int m_vhosts = 0;
    core::SystemRandom m_random;
    std::unique_ptr<RabbitAdmin> m_admin;
    std::unique_ptr<broker::RabbitMq> m_rabbit;
};

void TestRabbitMqHosts::initTestCase()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    m_server = std::make_unique<RabbitServer>();
    QVERIFY2(m_server->start(), qPrintable(m_server->error()));
}

void TestRabbitMqHosts::init()
{
    m_vhost = QStringLiteral("host/%1").arg(++m_vhosts);
    m_admin = std::make_unique<RabbitAdmin>(*m_server, m_vhost);
    m_admin->makeVhost(QStringLiteral("quorum"));
    m_admin->makeQueue(errors);
    m_admin->makeQueue(orders);
    m_rabbit = std::make_unique<broker::RabbitMq>(m_server->client(), m_server->clock(), m_random,
                                                  m_server->settings(m_vhost));
    must(m_server->wait(m_rabbit->probe()));
}

void TestRabbitMqHosts::cleanup()
{
    m_rabbit.reset();
    m_admin.reset();
}

broker::TakeRequest TestRabbitMqHosts::page() const
{
    broker::TakeRequest request;
    request.queue = errors;
    request.holdingName = QStringLiteral("redrive.store.1.page");
    request.limit = 100;
    return request;
}

// That a page was never refused for good.
void TestRabbitMqHosts::takesAll()
{
    const Result<broker::ReceivedPage> taken = m_server->wait(m_rabbit->take(page()));
    QVERIFY2(taken, test::why(taken).constData());
    QVERIFY(!taken->messages.isEmpty());
    must(m_server->wait(m_rabbit->release(page(), *taken)));
}

void TestRabbitMqHosts::nothingOfOursStaysWhenTheProgramEndsAtOnce()
{
    m_admin->publish(errors, failures(count));
    const QTemporaryDir folder;
    RabbitConsole console(folder.filePath(QStringLiteral("redrive.db")), m_server->connection(m_vhost, {errors}));
    console.open();
    const Result<records::IntakeCounts> taken = console.takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->taken, count);
    const Result<core::OperationId> id = console.retryGroup(exception);
    QVERIFY2(id, test::why(id).constData());
    while (!console.allCompleted())
        QTest::qWait(1);
    console.close();
    QCOMPARE(m_admin->ours(), QStringList());
    QCOMPARE(m_admin->drain(orders).size(), count);
}

void TestRabbitMqHosts::everyQueueOfOursSaysItsType()
{
    m_admin->publish(errors, failures(3));
    must(m_server->wait(m_rabbit->stagingQueue()->open(batch)));
    const broker::ReceivedPage taken = must(m_server->wait(m_rabbit->take(page())));
    const QList<LiveQueue> ours = must(m_server->wait(m_admin->api().liveQueues(QStringLiteral("redrive."))));
    QCOMPARE(ours.size(), 4); // the holding queue; staging, dead, unroutable
    for (const LiveQueue &one : ours) {
        QCOMPARE(one.type, QStringLiteral("classic"));
        QCOMPARE(one.arguments.value(QLatin1String("x-queue-type")).toString(), QStringLiteral("classic"));
    }
    must(m_server->wait(m_rabbit->release(page(), taken)));
    must(m_server->wait(m_rabbit->stagingQueue()->discard(batch)));
    QCOMPARE(m_admin->ours(), QStringList());
}

// An alternate exchange by policy brings a copy that meets no queue of ours to a queue of others, as if it had arrived.
void TestRabbitMqHosts::anExchangePolicyCarriesNothingAway()
{
    const QString trap = QStringLiteral("trap");
    m_admin->makeQueue(trap);
    broker::rabbitmq::ManagementApi &api = m_admin->api();
    must(m_server->wait(api.put(api.exchangePath(trap), {{QStringLiteral("type"), QStringLiteral("fanout")}}, trap)));
    const QByteArray binding = "/bindings/" + api.vhost() + "/e/trap/q/trap";
    must(m_server->wait(api.post(binding, {{QStringLiteral("routing_key"), QString()}}, trap)));
    m_admin->makePolicy(QStringLiteral("catch"), everything, {{QStringLiteral("alternate-exchange"), trap}}, 5000,
                        false, QStringLiteral("exchanges"));
    must(m_server->wait(m_rabbit->stagingQueue()->open(batch)));
    m_admin->removeQueue(batch.name);
    broker::Outgoing copy;
    copy.destination = orders;
    copy.envelope = failed(1);
    const QList<broker::SendOutcome> outcomes = m_server->wait(m_rabbit->stagingQueue()->stage(batch, {copy}));
    QVERIFY(outcomes.first().verdict == broker::Verdict::NotSent);
    QCOMPARE(m_admin->drain(trap).size(), 0);
    must(m_server->wait(m_rabbit->stagingQueue()->discard(batch)));
}

void TestRabbitMqHosts::aPolicyOfOperatorsIsFoundByAnyOfOurNames_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<bool>("isOfPages");
    QTest::newRow("all") << everything << true;
    QTest::newRow("staging") << QStringLiteral("batch$") << false;
    QTest::newRow("dead") << QStringLiteral("\\.dead$") << false;
    QTest::newRow("unroutable") << QStringLiteral("\\.unroutable$") << false;
    QTest::newRow("holding") << QStringLiteral("page\\.h[0-9a-f]+$") << true;
}

void TestRabbitMqHosts::aPolicyOfOperatorsIsFoundByAnyOfOurNames()
{
    QFETCH(const QString, pattern);
    QFETCH(const bool, isOfPages);
    m_admin->publish(errors, failures(2));
    m_admin->makePolicy(houseRule, pattern, {{QStringLiteral("message-ttl"), 100000000}}, 1, true);
    const auto begin = [&]() -> Result<> {
        if (!isOfPages)
            return m_server->wait(m_rabbit->stagingQueue()->open(batch));
        const Result<broker::ReceivedPage> taken = m_server->wait(m_rabbit->take(page()));
        return taken ? Result<>() : Result<>(core::fail(taken.error()));
    };
    const Result<> refused = begin();
    m_admin->removePolicy(houseRule, true);
    QVERIFY(!refused);
    QCOMPARE(core::toString(refused.error().kind), core::toString(ErrorKind::Refused));
    QVERIFY2(refused.error().message.contains(houseRule), qPrintable(refused.error().message));
    QVERIFY2(refused.error().message.contains(QLatin1String("message-ttl")), qPrintable(refused.error().message));
    QCOMPARE(m_admin->ours(), QStringList());
}

// Ours are classic, and a classic queue has none.
void TestRabbitMqHosts::aDeliveryLimitOfOperatorsDoesNothingToUs()
{
    const QString mine = QStringLiteral("redrive.other");
    m_admin->makePolicy(houseRule, everything, {{QStringLiteral("delivery-limit"), 2}}, 1, true);
    m_admin->makeQueue(mine, {{QStringLiteral("x-queue-type"), QStringLiteral("classic")}});
    m_admin->publish(mine, {failed(0)});
    for (int returns = 0; returns < 5; ++returns)
        QCOMPARE(must(m_server->wait(m_admin->api().peek(mine, {1, false}))).size(), 1);
    m_admin->removeQueue(mine);
    must(m_server->wait(m_rabbit->probe()));
    must(m_server->wait(m_rabbit->stagingQueue()->open(batch)));
    must(m_server->wait(m_rabbit->stagingQueue()->discard(batch)));
    m_admin->removePolicy(houseRule, true);
}

void TestRabbitMqHosts::aLimitOfQueuesIsNamedBeforeAnythingMoves()
{
    const QString limit = QStringLiteral("max-queues");
    m_admin->publish(errors, failures(3));
    m_admin->setLimit(limit, 4); // two more: room for a page, and not for a batch
    const broker::Capabilities can = must(m_server->wait(m_rabbit->probe()));
    QVERIFY2(can.missing.join(u' ').contains(limit), qPrintable(can.missing.join(u' ')));
    const Result<> refused = m_server->wait(m_rabbit->stagingQueue()->open(batch));
    QVERIFY(!refused);
    QCOMPARE(core::toString(refused.error().kind), core::toString(ErrorKind::Refused));
    QVERIFY2(refused.error().message.contains(limit), qPrintable(refused.error().message));
    QCOMPARE(m_admin->ours(), QStringList());
    m_admin->setLimit(limit, 2); // somebody else was faster
    broker::rabbitmq::OwnedQueues queues(m_admin->api());
    const Result<> late = m_server->wait(queues.declareQueue(QStringLiteral("redrive.store.1.late"), {}));
    QVERIFY(!late);
    QCOMPARE(core::toString(late.error().kind), core::toString(ErrorKind::Refused));
    m_admin->setLimit(limit, 5);
    must(m_server->wait(m_rabbit->stagingQueue()->open(batch)));
    must(m_server->wait(m_rabbit->stagingQueue()->open(batch))); // what is there needs no room
    const Result<broker::ReceivedPage> page = m_server->wait(m_rabbit->take(this->page()));
    QVERIFY(!page);
    QVERIFY2(page.error().message.contains(limit), qPrintable(page.error().message));
    QCOMPARE(core::toString(page.error().kind), core::toString(ErrorKind::Transient)); // the batch ends by itself
    QVERIFY(must(m_server->wait(m_rabbit->probe())).canTake);
    QVERIFY(must(m_server->wait(m_rabbit->prefetch(this->page()))) == broker::PrefetchResult::Nothing);
    must(m_server->wait(m_rabbit->stagingQueue()->discard(batch)));
    takesAll();
    QCOMPARE(m_admin->ours(), QStringList());
}

// A shovel without a connection waits for good, also after the limit was raised.
void TestRabbitMqHosts::aLimitOfConnectionsIsNamedBeforeAnythingMoves()
{
    const QString limit = QStringLiteral("max-connections");
    m_admin->publish(errors, failures(3));
    m_admin->setLimit(limit, 1);
    const broker::Capabilities can = must(m_server->wait(m_rabbit->probe()));
    QVERIFY2(can.missing.join(u' ').contains(limit), qPrintable(can.missing.join(u' ')));
    const Result<broker::ReceivedPage> refused = m_server->wait(m_rabbit->take(page()));
    QVERIFY(!refused);
    QCOMPARE(core::toString(refused.error().kind), core::toString(ErrorKind::Refused));
    QVERIFY2(refused.error().message.contains(limit), qPrintable(refused.error().message));
    const Result<> batchRefused = m_server->wait(m_rabbit->stagingQueue()->open(batch));
    QVERIFY(!batchRefused && batchRefused.error().message.contains(limit));
    QCOMPARE(m_admin->ours(), QStringList());
    m_admin->setLimit(limit, 3);
    takesAll();
    QCOMPARE(m_admin->ours(), QStringList());
}

// What is ours ends by itself: nobody is asked to raise a limit that has room for it.
void TestRabbitMqHosts::aShovelOfOursInTheWayIsWaitedFor()
{
    const QString limit = QStringLiteral("max-connections");
    const QString forwarding = QStringLiteral("redrive.store.1.forwarding");
    broker::rabbitmq::ManagementApi &api = m_admin->api();
    m_admin->makeQueue(forwarding);
    m_admin->publish(errors, failures(3));
    const QCborMap shovel{{QStringLiteral("src-uri"), api.shovelUri()},
                          {QStringLiteral("src-queue"), forwarding},
                          {QStringLiteral("dest-uri"), api.shovelUri()},
                          {QStringLiteral("dest-queue"), orders},
                          {QStringLiteral("src-delete-after"), QStringLiteral("never")}};
    must(m_server->wait(api.put(api.shovelPath(forwarding), {{QStringLiteral("value"), shovel}}, forwarding)));
    const QByteArray connections = "/vhosts/" + api.vhost() + "/connections?columns=name";
    const auto areListed = [&] { return must(m_server->wait(api.list(connections, limit))).toArray().size() == 2; };
    QVERIFY(m_server->until(areListed, std::chrono::seconds(60)));

    m_admin->setLimit(limit, 6);
    QCOMPARE(must(m_server->wait(m_rabbit->probe())).sendsInFlight, 4); // what is ours there does not count
    m_admin->setLimit(limit, 3);
    const broker::Capabilities can = must(m_server->wait(m_rabbit->probe()));
    QVERIFY(can.canTake);
    QVERIFY2(!can.missing.join(u' ').contains(limit), qPrintable(can.missing.join(u' ')));
    const Result<> batchWaits = m_server->wait(m_rabbit->stagingQueue()->open(batch));
    QVERIFY(!batchWaits);
    QCOMPARE(core::toString(batchWaits.error().kind), core::toString(ErrorKind::Transient));
    QVERIFY2(batchWaits.error().message.contains(limit), qPrintable(batchWaits.error().message));
    const Result<broker::PrefetchResult> ahead = m_server->wait(m_rabbit->prefetch(page()));
    QVERIFY2(ahead, test::why(ahead).constData());
    QVERIFY(*ahead == broker::PrefetchResult::Nothing);
    const Result<broker::ReceivedPage> pageWaits = m_server->wait(m_rabbit->take(page()));
    QVERIFY(!pageWaits);
    QCOMPARE(core::toString(pageWaits.error().kind), core::toString(ErrorKind::Transient));

    must(m_server->wait(api.remove(api.shovelPath(forwarding), forwarding)));
    QVERIFY(m_server->until([&] { return must(m_server->wait(api.list(connections, limit))).toArray().isEmpty(); },
                            std::chrono::seconds(60)));
    must(m_server->wait(m_rabbit->stagingQueue()->open(batch)));
    must(m_server->wait(m_rabbit->stagingQueue()->discard(batch)));
    takesAll();
    m_admin->removeQueue(forwarding);
    QCOMPARE(m_admin->ours(), QStringList());
}

// More publishes at a time than its connections are refused like those without a right.
void TestRabbitMqHosts::aLimitOfTheUserIsKept()
{
    const QString user = QStringLiteral("support");
    broker::rabbitmq::ManagementApi &api = m_admin->api();
    m_admin->makeUser(user, QStringLiteral("guest"), QStringLiteral("policymaker,monitoring"));
    broker::rabbitmq::Settings settings = m_server->settings(m_vhost);
    settings.authorization = "Basic " + QByteArray("support:guest").toBase64();
    broker::RabbitMq limited(m_server->client(), m_server->clock(), m_random, settings);
    const auto limitTo = [&](int most) {
        must(m_server->wait(api.put("/user-limits/support/max-connections", {{QStringLiteral("value"), most}}, user)));
    };
    limitTo(2);
    QCOMPARE(must(m_server->wait(limited.probe())).sendsInFlight, 2);
    must(m_server->wait(limited.stagingQueue()->open(batch)));
    QList<broker::Outgoing> copies;
    for (int i = 0; i < 100; ++i)
        copies.append(broker::Outgoing{i, {}, orders, failed(i), {}});
    const QList<broker::SendOutcome> outcomes = m_server->wait(limited.stagingQueue()->stage(batch, copies));
    for (const broker::SendOutcome &one : outcomes)
        QVERIFY2(one.verdict == broker::Verdict::Accepted, qPrintable(one.error.message));
    must(m_server->wait(limited.stagingQueue()->discard(batch)));
    limitTo(0);
    const broker::Capabilities can = must(m_server->wait(limited.probe()));
    QVERIFY(can.handOver == records::HandOver::None);
    QVERIFY2(can.missing.join(u' ').contains(QLatin1String("max-connections")), qPrintable(can.missing.join(u' ')));
    must(m_server->wait(api.remove("/users/support", user)));
}

REDRIVE_TEST(TestRabbitMqHosts)
#include "tst_rabbitmq_hosts.moc"
