// A program that dies has sent a request that lies in the network, and arrives when the next one is cleaning up: between any two
// of its requests, or after all of them. Whatever comes when: every message is in the store once, and nothing of ours is left.
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/broker/rabbitmq/staging/ownedqueues.h"
#include "backend/broker/rabbitmq/staging/shovels.h"
#include "backend/core/limits.h"
#include "backend/http/retryingclient.h"
#include "backend/intake/intake.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/brokers/lateremovals.h"
#include "tests/support/clocksthatareset.h"
#include "tests/support/fakerabbit/fakesite.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/testmain/testmain.h"

using namespace std::chrono_literals;
using records::FailedMessage;
using support::FakeRabbit;

namespace {

const QString vhost = QStringLiteral("a/b");
const QString errorQueue = QStringLiteral("err/or");
constexpr int messages = 30;

class Fixture final
{
public:
    explicit Fixture(int messagesOfAPage = core::limits::intakePage)
        : admin(site, vhost)
        , store(std::move(*store::openSqliteStore(QStringLiteral(":memory:"))))
        , page(messagesOfAPage)
    {
        admin.makeVhost();
        admin.makeQueue(errorQueue);
        QList<records::Envelope> failed;
        for (int i = 0; i < messages; ++i) {
            records::Envelope envelope;
            envelope.body = QByteArray::number(100 + i);
            failed.append(envelope);
            sent.append(envelope.body);
        }
        admin.publish(errorQueue, failed);
        connection.name = QStringLiteral("shop");
        connection.errorQueues = {errorQueue};
        test::must(store->transact([&](store::Session &session) -> core::Result<> {
            connection.id = test::must(session.connections().add(connection));
            return {};
        }));
        restart();
    }

    void restart()
    {
        intake.reset();
        brokerState.reset();
        rabbit.reset();
        line.reset();
        random = std::make_unique<core::SeededRandom>(++m_starts);
        line = std::make_unique<http::RetryingClient>(site.client(), site.clock(), *random);
        rabbit = std::make_unique<broker::RabbitMq>(*line, site.clock(), *random, site.settings(vhost));
        brokerState = std::make_unique<broker::BrokerState>(*rabbit, site.clock());
        intake = std::make_unique<intake::Intake>(
            connection, *brokerState, *store, site.clock(), *random, [] { return 0.5; }, page);
    }

    // Takes until the request is in the network, and dies.
    [[nodiscard]] bool dieWith(const QByteArray &verb, const QString &path)
    {
        site.rabbit().setFaults([this, verb, path](const http::Request &request) {
            const bool meant = request.verb == verb && request.url.path().contains(path) && !site.rabbit().hasLate()
                               && request.url.path().contains(QLatin1String("redrive."));
            return meant ? FakeRabbit::Fault::Late : FakeRabbit::Fault::None;
        });
        bool ended = false;
        const core::Task<> taking = takeUntilTheEnd(ended);
        const bool isLate = site.until([this] { return site.rabbit().hasLate(); }, 60000ms);
        site.rabbit().setFaults({});
        intake->stop();
        rabbit->cancelAll();
        const bool isDead = site.until([&] { return ended; }, 60000ms);
        restart();
        return isLate && isDead;
    }

    [[nodiscard]] core::Result<records::IntakeCounts> take()
    {
        intake::Order order;
        order.queue = errorQueue;
        return site.wait(intake->take(order));
    }

    [[nodiscard]] QList<FailedMessage> stored()
    {
        QList<FailedMessage> all;
        test::must(store->read([&](store::Session &session) -> core::Result<> {
            for (const core::MessageId id : test::must(session.messages().slice({}, {}, 1000)).ids)
                all.append(test::must(session.messages().load(id)));
            return {};
        }));
        return all;
    }
    // surplus: that are there again, and not called a possible duplicate.
    [[nodiscard]] QByteArrayList bodies(int &surplus)
    {
        QByteArrayList all;
        const QList<FailedMessage> there = stored();
        test::must(store->read([&](store::Session &session) -> core::Result<> {
            for (const FailedMessage &message : there) {
                const QByteArray body = test::must(session.messages().loadEnvelope(message.id)).body;
                if (!all.contains(body))
                    all.append(body);
                else if (!message.flags.testFlag(records::MessageFlag::PossibleDuplicate))
                    ++surplus;
            }
            return {};
        }));
        std::sort(all.begin(), all.end());
        return all;
    }
    [[nodiscard]] qsizetype openRuns()
    {
        qsizetype count = 0;
        test::must(store->read([&](store::Session &session) -> core::Result<> {
            count = test::must(session.intakes().open(connection.id)).size();
            return {};
        }));
        return count;
    }

    support::FakeSite site;
    support::RabbitAdmin admin;
    std::unique_ptr<store::Store> store;
    records::Connection connection;
    int page;
    QByteArrayList sent;
    std::unique_ptr<core::SeededRandom> random;
    std::unique_ptr<http::RetryingClient> line; // sends again what got no answer
    std::unique_ptr<broker::RabbitMq> rabbit;
    std::unique_ptr<broker::BrokerState> brokerState;
    std::unique_ptr<intake::Intake> intake;

private:
    core::Task<> takeUntilTheEnd(bool &ended)
    {
        intake::Order order;
        order.queue = errorQueue;
        const core::Result<records::IntakeCounts> taken = co_await intake->take(order);
        static_cast<void>(taken);
        ended = true;
    }

    quint64 m_starts = 0;
};

} // namespace

class TestRabbitMqLate final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wheneverItArrivesNothingIsLostAndNothingStays_data();
    void wheneverItArrivesNothingIsLostAndNothingStays();
    void aNodeThatStartsMakesNobodyForget();
    void whatMayStillComeIsNotGivenUpByTheNextDeath();
    void aLateRemovalOfAPageTakesNoOther();
    void aLateStartOfAShovelLeavesNoneBehind();
    void aHoldingQueueThatIsDeletedLosesNothing();
    void aPageOfAnEarlierVersionIsSettled();
    void whatMayStillComeIsAwaitedThoughTheClockIsSet_data() { support::clocksThatAreSet(); }
    void whatMayStillComeIsAwaitedThoughTheClockIsSet();
};

void TestRabbitMqLate::wheneverItArrivesNothingIsLostAndNothingStays_data()
{
    QTest::addColumn<QByteArray>("verb");
    QTest::addColumn<QString>("path");
    QTest::newRow("queue") << QByteArray("PUT") << QStringLiteral("/api/queues/");
    QTest::newRow("exchange") << QByteArray("PUT") << QStringLiteral("/api/exchanges/");
    QTest::newRow("binding") << QByteArray("POST") << QStringLiteral("/api/bindings/");
    QTest::newRow("shovel") << QByteArray("PUT") << QStringLiteral("/api/parameters/shovel/");
}

void TestRabbitMqLate::wheneverItArrivesNothingIsLostAndNothingStays()
{
    QFETCH(QByteArray, verb);
    QFETCH(QString, path);
    int moments = 0;
    for (bool isWithin = true; isWithin; ++moments) {
        Fixture fixture;
        QVERIFY(fixture.dieWith(verb, path));
        int requests = 0;
        fixture.site.rabbit().setFaults([&](const http::Request &) {
            if (requests++ == moments)
                fixture.site.rabbit().letLateArrive();
            return FakeRabbit::Fault::None;
        });
        const std::string at = "at request " + std::to_string(moments);
        const char *moment = at.c_str();
        QVERIFY2(fixture.site.wait(fixture.intake->recover()), moment);
        QVERIFY2(fixture.take(), moment);
        isWithin = !fixture.site.rabbit().hasLate();
        fixture.site.rabbit().letLateArrive();
        fixture.site.pause(20s);
        QVERIFY2(fixture.site.wait(fixture.intake->checkAgain()), moment);
        QVERIFY2(fixture.take(), moment);
        int surplus = 0;
        QCOMPARE(fixture.bodies(surplus), fixture.sent);
        QVERIFY2(surplus == 0, moment);
        QVERIFY2(fixture.admin.depth(errorQueue) == 0, moment);
        QVERIFY2(fixture.admin.ours().isEmpty(), qPrintable(fixture.admin.ours().join(u' ')));
        QVERIFY2(fixture.openRuns() == 0, moment);
    }
    QVERIFY(moments > 10);
}

// The node starts at every third request of the next program: for some requests its lists are empty, and each queue is called missing.
// The holding queue is one of several pages.
void TestRabbitMqLate::aNodeThatStartsMakesNobodyForget()
{
    int moments = 0;
    for (bool isWithin = true; isWithin; moments += 3) {
        Fixture fixture;
        fixture.site.rabbit().api().setVersion(QStringLiteral("4.0.5"));
        QVERIFY(fixture.dieWith("POST", QStringLiteral("/get")));
        fixture.page = 7;
        fixture.restart();
        int requests = 0;
        fixture.site.rabbit().setFaults([&](const http::Request &) {
            if (requests++ == moments)
                fixture.site.rabbit().api().beginRecovery(1 + moments % 5);
            return FakeRabbit::Fault::None;
        });
        const std::string at = "at request " + std::to_string(moments);
        const char *moment = at.c_str();
        core::Result<records::IntakeCounts> taken;
        for (int tries = 0; tries < 10 && (tries == 0 || !taken); ++tries) {
            taken = fixture.site.wait(fixture.intake->recover());
            if (taken)
                taken = fixture.take();
            fixture.site.pause(20s);
        }
        QVERIFY2(taken, moment);
        isWithin = requests > moments;
        int surplus = 0;
        const QByteArrayList bodies = fixture.bodies(surplus);
        QVERIFY2(bodies == fixture.sent, moment);
        QVERIFY2(surplus == 0, moment);
        QVERIFY2(fixture.admin.ours().isEmpty(), qPrintable(QLatin1String(moment) + fixture.admin.ours().join(u' ')));
        QVERIFY2(fixture.openRuns() == 0, moment);
    }
    QVERIFY(moments > 20);
}

// The second program dies as well before it can be sure; the third one still knows what to look for.
void TestRabbitMqLate::whatMayStillComeIsNotGivenUpByTheNextDeath()
{
    Fixture fixture;
    QVERIFY(fixture.dieWith("PUT", QStringLiteral("/api/queues/")));
    QVERIFY(fixture.site.wait(fixture.intake->recover()));
    fixture.restart();
    QVERIFY(fixture.site.wait(fixture.intake->recover()));
    fixture.site.rabbit().letLateArrive();
    QVERIFY(!fixture.admin.ours().isEmpty());
    fixture.site.pause(20s);
    QVERIFY(fixture.site.wait(fixture.intake->checkAgain()));
    QCOMPARE(fixture.admin.ours(), QStringList());
    QVERIFY(fixture.take());
    QCOMPARE(fixture.openRuns(), 0);
}

// The network loses each request to remove something of ours, the client sends it again, and the lost one arrives while a later
// page is on its way.
void TestRabbitMqLate::aLateRemovalOfAPageTakesNoOther()
{
    int lost = 0;
    for (int after = 1; after <= 60; ++after) {
        Fixture fixture(5);
        test::LateRemovals removals(fixture.site.rabbit(), after);
        const QByteArray text = "after " + QByteArray::number(after) + " requests";
        const char *moment = text.constData();
        QVERIFY2(fixture.take(), moment);
        removals.end();
        lost += removals.lost();
        fixture.site.pause(20s);
        int surplus = 0;
        const QByteArrayList stored = fixture.bodies(surplus);
        QVERIFY2(stored == fixture.sent, moment);
        QVERIFY2(surplus == 0, moment);
        QVERIFY2(fixture.admin.depth(errorQueue) == 0, moment);
        QVERIFY2(fixture.admin.ours().isEmpty(), qPrintable(fixture.admin.ours().join(u' ')));
        QVERIFY2(fixture.openRuns() == 0, moment);
    }
    QVERIFY(lost > 500);
}

// The request to start a shovel was lost and sent again; the page is taken, and then the lost one arrives.
void TestRabbitMqLate::aLateStartOfAShovelLeavesNoneBehind()
{
    for (int after = 0; after < 10; ++after) {
        Fixture fixture(5);
        FakeRabbit &rabbit = fixture.site.rabbit();
        bool isLost = false;
        rabbit.setFaults([&](const http::Request &request) {
            const bool isStart =
                request.verb == "PUT" && request.url.path().contains(QLatin1String("/parameters/shovel/"));
            if (!isStart || std::exchange(isLost, true))
                return FakeRabbit::Fault::None;
            fixture.site.clock().after(std::chrono::seconds(after), [&rabbit] { rabbit.letLateArrive(); });
            return FakeRabbit::Fault::Delayed;
        });
        const QByteArray text = "after " + QByteArray::number(after) + " s";
        const char *moment = text.constData();
        QVERIFY2(fixture.take(), moment);
        fixture.site.pause(20s);
        QVERIFY2(isLost && !rabbit.hasLate(), moment);
        int surplus = 0;
        const QByteArrayList stored = fixture.bodies(surplus);
        QVERIFY2(stored == fixture.sent, moment);
        QVERIFY2(surplus == 0, moment);
        QVERIFY2(fixture.admin.ours().isEmpty(), qPrintable(fixture.admin.ours().join(u' ')));
        QVERIFY2(fixture.openRuns() == 0, moment);
    }
}

// Somebody deletes the holding queue before its shovel has moved anything: what it moves goes back.
void TestRabbitMqLate::aHoldingQueueThatIsDeletedLosesNothing()
{
    Fixture fixture;
    bool isDeleted = false;
    fixture.site.rabbit().setFaults([&](const http::Request &request) {
        const QString path = request.url.path();
        if (!isDeleted && request.verb == "PUT" && path.contains(QLatin1String("/parameters/shovel/"))) {
            isDeleted = true;
            http::Request removal = request;
            removal.verb = "DELETE";
            removal.body.clear();
            removal.url.setPath(QString(path).replace(QLatin1String("/parameters/shovel/"), QLatin1String("/queues/")));
            static_cast<void>(fixture.site.rabbit().carryOut(removal));
        }
        return FakeRabbit::Fault::None;
    });
    static_cast<void>(fixture.take()); // whatever it says
    QVERIFY(isDeleted);
    fixture.site.rabbit().setFaults({});
    fixture.restart();
    QVERIFY(fixture.site.wait(fixture.intake->recover()));
    fixture.site.pause(20s);
    QVERIFY(fixture.site.wait(fixture.intake->checkAgain()));
    QVERIFY(fixture.take());
    int surplus = 0;
    QCOMPARE(fixture.bodies(surplus), fixture.sent);
    QCOMPARE(fixture.admin.ours(), QStringList());
    QCOMPARE(fixture.openRuns(), 0);
}

// Redrive 0.1.0 died after it had filled a holding queue, which had the name of its run.
void TestRabbitMqLate::aPageOfAnEarlierVersionIsSettled()
{
    for (const bool isFilled : {true, false}) {
        Fixture fixture;
        QVERIFY(fixture.dieWith("PUT", QStringLiteral("/api/queues/")));
        QString run;
        test::must(fixture.store->read([&](store::Session &session) -> core::Result<> {
            run = test::must(session.intakes().open(fixture.connection.id)).first().holdingName;
            return {};
        }));
        const QString way = run + QStringLiteral(".w0123abcd");
        broker::rabbitmq::OwnedQueues queues(fixture.admin.api());
        const QString note = QStringLiteral("w0123abcd|30|");
        QVERIFY(fixture.site.wait(queues.declareQueue(run, {{QStringLiteral("x-redrive"), note}})));
        QVERIFY(fixture.site.wait(queues.declareExchange(way, QStringLiteral("fanout"), {})));
        QVERIFY(fixture.site.wait(queues.bind(way, run, {})));
        core::Timers timers(fixture.site.clock());
        broker::rabbitmq::Shovels shovels(fixture.admin.api(), timers);
        if (isFilled)
            QVERIFY(fixture.site.wait(shovels.start({run, errorQueue, way, 30})).result);
        QVERIFY(fixture.site.wait(fixture.intake->recover()));
        fixture.site.pause(20s);
        QVERIFY(fixture.site.wait(fixture.intake->checkAgain()));
        QVERIFY(fixture.take());
        int surplus = 0;
        QCOMPARE(fixture.bodies(surplus), fixture.sent);
        QCOMPARE(surplus, 0);
        QCOMPARE(fixture.admin.ours(), QStringList());
        QCOMPARE(fixture.openRuns(), 0);
    }
}

void TestRabbitMqLate::whatMayStillComeIsAwaitedThoughTheClockIsSet()
{
    QFETCH(const core::Milliseconds, by);
    Fixture fixture;
    QVERIFY(fixture.dieWith("PUT", QStringLiteral("/api/queues/")));
    fixture.site.clock().jump(by);
    QVERIFY(fixture.site.wait(fixture.intake->recover()));
    QVERIFY(fixture.site.wait(fixture.intake->checkAgain()));
    QCOMPARE(fixture.openRuns(), 1);
    fixture.site.rabbit().letLateArrive();
    QVERIFY(!fixture.admin.ours().isEmpty());
    fixture.site.pause(20s);
    QVERIFY(fixture.site.wait(fixture.intake->checkAgain()));
    QCOMPARE(fixture.admin.ours(), QStringList());
    QVERIFY(fixture.take());
    QCOMPARE(fixture.openRuns(), 0);
}

REDRIVE_TEST(TestRabbitMqLate)
#include "tst_rabbitmq_late.moc"
