// An account that may only browse: what RabbitMQ keeps, what browsing must never cost, and that the same messages are known
// when the rights have come. On the real one and on the one in memory.
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/intake/intake.h"
#include "backend/intake/queuebrowser.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/fakerabbit/rabbitsites.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/testmain/testmain.h"

#include <QRegularExpression>
#include <QTest>

using core::ErrorKind;
using core::Result;
using records::BrowseCounts;
using records::MessageFlag;
using test::must;

namespace {

const QString vhost = QStringLiteral("looks/at");
const QString seer = QStringLiteral("seer");

// A store, and an account that is in nothing but what it is given.
class Fixture final
{
public:
    Fixture(support::RabbitSite &where, const QString &name, const QCborMap &arguments)
        : site(where)
        , admin(where, vhost)
        , queue(name)
        , store(std::move(*store::openSqliteStore(QStringLiteral(":memory:"))))
        , m_random(1)
    {
        admin.makeVhost();
        admin.makeUser(seer, seer, QStringLiteral("management"));
        admin.setRights(seer, {}, {}, QStringLiteral(".*"));
        admin.makeQueue(queue, arguments);
        connection.name = QStringLiteral("shop");
        connection.errorQueues = {queue};
        must(store->transact([&](store::Session &session) -> Result<> {
            connection.id = must(session.connections().add(connection));
            return {};
        }));
        broker::rabbitmq::Settings settings = site.settings(vhost);
        settings.authorization = "Basic " + (seer + QLatin1Char(':') + seer).toUtf8().toBase64();
        settings.errorQueues = connection.errorQueues;
        m_rabbit = std::make_unique<broker::RabbitMq>(site.client(), site.clock(), m_random, settings);
    }
    ~Fixture() { admin.removeQueue(queue); }

    // What a customer's framework puts there: properties and headers of several kinds, one twice.
    void fill()
    {
        records::Envelope rich;
        rich.body = "rich";
        rich.headers = {{QStringLiteral("NServiceBus.MessageId"), QStringLiteral("a-1")},
                        {QStringLiteral("NServiceBus.ProcessingEndpoint"), QStringLiteral("Billing")},
                        {QStringLiteral("NServiceBus.FailedQ"), QStringLiteral("billing")},
                        {QStringLiteral("number"), 7}};
        rich.properties = {{QStringLiteral("delivery_mode"), 2},
                           {QStringLiteral("priority"), 3},
                           {QStringLiteral("correlation_id"), QStringLiteral("c")},
                           {QStringLiteral("message_id"), QStringLiteral("m")}};
        records::Envelope plain;
        plain.body = QByteArray("\x00\xff plain", 8);
        records::Envelope twin;
        twin.body = "twin";
        twin.headers = {{QStringLiteral("list"), QCborArray{1, QStringLiteral("x")}}};
        admin.publish(queue, {rich, plain, twin, twin});
    }
    static constexpr int filled = 4;

    Result<BrowseCounts> browse()
    {
        broker::BrokerState state(*m_rabbit, site.clock());
        intake::QueueBrowser browser(connection, state, *store, site.clock(), [] { return 1.0; });
        return site.wait(browser.browse({queue, 1000, {}}));
    }
    Result<records::IntakeCounts> take()
    {
        broker::BrokerState state(*m_rabbit, site.clock());
        intake::Intake intake(connection, state, *store, site.clock(), m_random, [] { return 1.0; });
        intake::Order order;
        order.queue = queue;
        return site.wait(intake.take(order));
    }
    Result<broker::Capabilities> probe() { return site.wait(m_rabbit->probe()); }
    QList<records::FailedMessage> stored()
    {
        QList<records::FailedMessage> all;
        must(store->read([&](store::Session &session) -> Result<> {
            for (const core::MessageId id : must(session.messages().slice({}, {}, 1000)).ids)
                all.append(must(session.messages().load(id)));
            return {};
        }));
        return all;
    }

    support::RabbitSite &site;
    support::RabbitAdmin admin;
    const QString queue;
    std::unique_ptr<store::Store> store;
    records::Connection connection;

private:
    core::SeededRandom m_random;
    std::unique_ptr<broker::RabbitMq> m_rabbit;
};

const QCborMap classic{{QStringLiteral("x-queue-type"), QStringLiteral("classic")}};
const QCborMap quorum{{QStringLiteral("x-queue-type"), QStringLiteral("quorum")}};

// The limit that is set from 4.0 on is taken off; before, a negative one would be the strictest.
QCborMap quorumWithoutLimit(support::RabbitSite &site)
{
    QCborMap arguments = quorum;
    if (support::RabbitAdmin(site, vhost).version() >= QVersionNumber(4))
        arguments.insert(QStringLiteral("x-delivery-limit"), -1);
    return arguments;
}

} // namespace

class TestRabbitMqBrowse final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase_data() { support::RabbitSites::addRows(); }
    void initTestCase() { m_sites.start(); }
    void init();
    void anAccountWithoutRightsLooksAndTakesLater_data();
    void anAccountWithoutRightsLooksAndTakesLater();
    void withoutThePluginItIsTheSame();
    void nothingIsPromisedThatARightForbids_data();
    void nothingIsPromisedThatARightForbids();
    void aRefusalNamesTheRightAndTheQueue_data();
    void aRefusalNamesTheRightAndTheQueue();
    void aQueueThatALookWouldDrainIsRefused_data();
    void aQueueThatALookWouldDrainIsRefused();

private:
    support::RabbitSites m_sites;
    support::RabbitSite *m_site = nullptr;
};

void TestRabbitMqBrowse::init()
{
    m_site = &m_sites.site();
}

void TestRabbitMqBrowse::anAccountWithoutRightsLooksAndTakesLater_data()
{
    QTest::addColumn<bool>("isQuorum");
    QTest::newRow("classic") << false;
    QTest::newRow("quorum without a limit") << true; // each look adds to its header x-delivery-count
}

void TestRabbitMqBrowse::anAccountWithoutRightsLooksAndTakesLater()
{
    QFETCH(bool, isQuorum);
    Fixture fixture(*m_site, isQuorum ? QStringLiteral("dead.q") : QStringLiteral("dead"),
                    isQuorum ? quorumWithoutLimit(*m_site) : classic);
    fixture.fill();
    const Result<records::IntakeCounts> refused = fixture.take();
    QVERIFY(!refused);
    QVERIFY(refused.error().kind == ErrorKind::Refused);
    QVERIFY2(refused.error().message.contains(QStringLiteral("policymaker")), qPrintable(refused.error().message));

    const Result<BrowseCounts> first = fixture.browse();
    QVERIFY2(first, first ? "" : qPrintable(first.error().message + first.error().detail));
    QCOMPARE(*first, (BrowseCounts{Fixture::filled, Fixture::filled, 0, 0, 0, false}));
    for (int i = 0; i < 3; ++i) {
        const Result<BrowseCounts> again = fixture.browse();
        QVERIFY2(again, again ? "" : qPrintable(again.error().message));
        QCOMPARE(*again, (BrowseCounts{Fixture::filled, 0, Fixture::filled, 0, 0, false}));
    }
    const QList<records::FailedMessage> seen = fixture.stored();
    QCOMPARE(seen.size(), Fixture::filled);
    for (const records::FailedMessage &message : seen)
        QVERIFY(message.flags.testFlag(MessageFlag::BrowsedOnly));
    if (!isQuorum)
        QCOMPARE(fixture.admin.depth(fixture.queue), Fixture::filled);
    QVERIFY(fixture.admin.ours().isEmpty());

    // The rights have come.
    fixture.admin.makeUser(seer, seer, QStringLiteral("policymaker,monitoring"));
    const Result<records::IntakeCounts> taken = fixture.take();
    QVERIFY2(taken, taken ? "" : qPrintable(taken.error().message + taken.error().detail));
    QCOMPARE(*taken, (records::IntakeCounts{Fixture::filled, Fixture::filled, 0, 0, 0}));
    const QList<records::FailedMessage> held = fixture.stored();
    QCOMPARE(held.size(), Fixture::filled);
    for (qsizetype i = 0; i < held.size(); ++i) {
        QCOMPARE(held.at(i).uniqueId, seen.at(i).uniqueId);
        QCOMPARE(held.at(i).attempts, 1);
        QVERIFY(!held.at(i).flags.testFlag(MessageFlag::BrowsedOnly));
    }
    QCOMPARE(fixture.admin.drain(fixture.queue).size(), 0);
}

void TestRabbitMqBrowse::withoutThePluginItIsTheSame()
{
    QFETCH_GLOBAL(bool, real);
    if (real)
        QSKIP("The server has the plugin.");
    m_sites.fake().rabbit().api().setShovelPlugin(false);
    Fixture fixture(*m_site, QStringLiteral("dead"), classic);
    fixture.admin.makeUser(seer, seer, QStringLiteral("policymaker,monitoring"));
    fixture.fill();
    const Result<records::IntakeCounts> refused = fixture.take();
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.contains(QStringLiteral("rabbitmq_shovel")), qPrintable(refused.error().message));
    QCOMPARE(*fixture.browse(), (BrowseCounts{Fixture::filled, Fixture::filled, 0, 0, 0, false}));
    QCOMPARE(fixture.admin.depth(fixture.queue), Fixture::filled);
    m_sites.fake().rabbit().api().setShovelPlugin(true);
    QVERIFY(fixture.take());
    QCOMPARE(fixture.stored().size(), Fixture::filled);
}

void TestRabbitMqBrowse::nothingIsPromisedThatARightForbids_data()
{
    QTest::addColumn<QString>("configure");
    QTest::addColumn<QString>("write");
    QTest::addColumn<QString>("read");
    QTest::addColumn<bool>("canTake");
    QTest::addColumn<bool>("canBrowse");
    QTest::addColumn<records::HandOver>("handOver");
    QTest::addColumn<QString>("missing"); // parts, with |
    using records::HandOver;
    const QString all = QStringLiteral(".*");
    const QString ours = QStringLiteral("^redrive\\.");
    const QString application = QStringLiteral("^app-");
    const QString sending = QStringLiteral("right to write to the exchange amq.default");
    QTest::newRow("all") << all << all << all << true << true << HandOver::StagingQueue << QString();
    QTest::newRow("narrow and enough") << ours << QStringLiteral("^(redrive\\.|amq\\.default$)")
                                       << QStringLiteral("^(redrive\\.|dead$)") << true << true
                                       << HandOver::StagingQueue << QString();
    QTest::newRow("none") << QString() << QString() << QString() << false << false << HandOver::None
                          << QStringLiteral("right to configure|right to write to queues|right to read queues|%1|"
                                            "right to read the queue dead")
                                 .arg(sending);
    QTest::newRow("too narrow") << application << application << all << false << true << HandOver::None
                                << QStringLiteral("right to configure|right to write to queues|%1").arg(sending);
    QTest::newRow("makes nothing") << application << all << all << false << true << HandOver::IntentLog
                                   << QStringLiteral("right to configure");
    QTest::newRow("sends nothing") << all << ours << all << true << true << HandOver::None << sending;
}

void TestRabbitMqBrowse::nothingIsPromisedThatARightForbids()
{
    QFETCH_GLOBAL(bool, real);
    if (!real)
        QSKIP("The one in memory has no rights on names.");
    QFETCH(QString, configure);
    QFETCH(QString, write);
    QFETCH(QString, read);
    QFETCH(QString, missing);
    Fixture fixture(*m_site, QStringLiteral("dead"), classic);
    fixture.admin.makeUser(seer, seer, QStringLiteral("administrator"));
    fixture.admin.setRights(seer, configure, write, read);
    const broker::Capabilities found = must(fixture.probe());
    QTEST(found.canTake, "canTake");
    QTEST(found.canBrowse, "canBrowse");
    QTEST(found.handOver, "handOver");
    const QStringList parts = missing.split(u'|', Qt::SkipEmptyParts);
    QVERIFY2(found.missing.size() == parts.size(), qPrintable(found.missing.join(u'\n')));
    for (qsizetype i = 0; i < parts.size(); ++i)
        QVERIFY2(found.missing.at(i).contains(parts.at(i)), qPrintable(found.missing.at(i)));
    QCOMPARE(found.rightsUnknown, QString());

    // To others RabbitMQ does not tell them, and that is said.
    fixture.admin.makeUser(seer, seer, QStringLiteral("policymaker,monitoring"));
    fixture.admin.setRights(seer, configure, write, read);
    const broker::Capabilities others = must(fixture.probe());
    QVERIFY(others.canTake && others.canBrowse);
    QVERIFY(!others.rightsUnknown.isEmpty());
}

void TestRabbitMqBrowse::aRefusalNamesTheRightAndTheQueue_data()
{
    QTest::addColumn<QString>("configure");
    QTest::addColumn<QString>("write");
    QTest::addColumn<QString>("read");
    QTest::addColumn<QString>("right");
    const QString all = QStringLiteral(".*");
    QTest::newRow("configure") << QString() << all << all << QStringLiteral("the right to configure");
    QTest::newRow("write") << all << QString() << all << QStringLiteral("the right to write");
    QTest::newRow("read") << all << all << QString() << QStringLiteral("to read");
}

void TestRabbitMqBrowse::aRefusalNamesTheRightAndTheQueue()
{
    QFETCH_GLOBAL(bool, real);
    if (!real)
        QSKIP("The one in memory has no rights on names.");
    QFETCH(QString, configure);
    QFETCH(QString, write);
    QFETCH(QString, read);
    QFETCH(QString, right);
    Fixture fixture(*m_site, QStringLiteral("dead"), classic);
    fixture.fill();
    fixture.admin.makeUser(seer, seer, QStringLiteral("policymaker,monitoring"));
    fixture.admin.setRights(seer, configure, write, read);
    const Result<records::IntakeCounts> refused = fixture.take();
    QVERIFY(!refused);
    const QString words = refused.error().message;
    QVERIFY2(words.contains(right) && words.contains(QStringLiteral("from dead:")), qPrintable(words));
    static const QRegularExpression nameOfOurs(QStringLiteral("redrive\\.[0-9a-f]"));
    QVERIFY2(!words.contains(nameOfOurs), qPrintable(words));
    if (read.isEmpty()) {
        const Result<BrowseCounts> unseen = fixture.browse();
        QVERIFY(!unseen);
        QVERIFY2(unseen.error().message.contains(QStringLiteral("the right to read the queue dead")),
                 qPrintable(unseen.error().message));
    }
    fixture.admin.setRights(seer, QStringLiteral(".*"), QStringLiteral(".*"), QStringLiteral(".*"));
    const Result<records::IntakeCounts> taken = fixture.take();
    QVERIFY2(taken, taken ? "" : qPrintable(taken.error().message + taken.error().detail));
    QCOMPARE(fixture.stored().size(), Fixture::filled);
}

void TestRabbitMqBrowse::aQueueThatALookWouldDrainIsRefused_data()
{
    QTest::addColumn<int>("where");
    QTest::newRow("argument") << 0;
    QTest::newRow("policy") << 1;
    QTest::newRow("operator policy") << 2;
}

// A look is a delivery: past its limit such a queue drops what it gives away.
void TestRabbitMqBrowse::aQueueThatALookWouldDrainIsRefused()
{
    QFETCH(int, where);
    if (support::RabbitAdmin(*m_site, vhost).version() >= QVersionNumber(4, 3))
        QSKIP("From 4.3 on a look costs nothing.");
    QCborMap arguments = quorum;
    if (where == 0)
        arguments.insert(QStringLiteral("x-delivery-limit"), 2);
    Fixture fixture(*m_site, QStringLiteral("limited.%1").arg(where), arguments);
    const QString policy = QStringLiteral("limit");
    if (where > 0)
        fixture.admin.makePolicy(policy, QStringLiteral("^limited"), {{QStringLiteral("delivery-limit"), 2}}, 5,
                                 where == 2);
    fixture.fill();
    for (int i = 0; i < 4; ++i) {
        const Result<BrowseCounts> refused = fixture.browse();
        QVERIFY(!refused);
        QVERIFY(refused.error().kind == ErrorKind::Refused);
        QVERIFY2(refused.error().message.contains(QStringLiteral("delivery limit")),
                 qPrintable(refused.error().message));
    }
    QVERIFY(fixture.stored().isEmpty());
    // Taking is one interruption at most, and the limit allows that.
    fixture.admin.makeUser(seer, seer, QStringLiteral("policymaker,monitoring"));
    const Result<records::IntakeCounts> taken = fixture.take();
    QVERIFY2(taken, taken ? "" : qPrintable(taken.error().message + taken.error().detail));
    QCOMPARE(fixture.stored().size(), Fixture::filled);
    QVERIFY(fixture.admin.ours().isEmpty());
    if (where > 0)
        fixture.admin.removePolicy(policy, where == 2);
    QCOMPARE(fixture.admin.drain(fixture.queue).size(), 0);
}

REDRIVE_TEST(TestRabbitMqBrowse)
#include "tst_rabbitmq_browse.moc"
