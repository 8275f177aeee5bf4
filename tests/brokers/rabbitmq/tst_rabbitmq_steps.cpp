// Taking in small steps: whatever call gets no answer, whoever dies and whoever else takes, nothing is lost or twice unflagged.
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/http/retryingclient.h"
#include "backend/intake/intake.h"
#include "backend/records/takinginsteps.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/brokers/rabbitmq/liveconsumer.h"
#include "tests/support/fakerabbit/versionedsites.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using core::ErrorKind;
using core::Result;
using records::IntakeCounts;
using support::FakeRabbit;
using test::must;

namespace {

const QString vhost = QStringLiteral("in/steps");

bool removes(const http::Request &request)
{
    return request.url.path().endsWith(QLatin1String("/get")) && request.body.contains("ack_requeue_false");
}

records::Envelope failed(int number)
{
    records::Envelope envelope;
    envelope.body = "order " + QByteArray::number(10000 + number);
    envelope.properties = {{QStringLiteral("delivery_mode"), 2}};
    envelope.headers = {{QStringLiteral("x-error"), QStringLiteral("no stock")}};
    return envelope;
}

// An account that may read the queue, and nothing more; and a store.
class Fixture final
{
public:
    Fixture(support::RabbitSite &where, const QString &name, int messages,
            const QCborMap &arguments = {{QStringLiteral("x-queue-type"), QStringLiteral("classic")}},
            const QString &tags = QStringLiteral("monitoring"))
        : site(where)
        , admin(where, vhost)
        , queue(name)
        , user(QStringLiteral("support.") + tags)
        , store(std::move(*store::openSqliteStore(QStringLiteral(":memory:"))))
    {
        admin.makeVhost();
        admin.makeUser(user, user, tags);
        admin.setRights(user, {}, QStringLiteral("^amq\\.default$"), QStringLiteral(".*"));
        admin.makeQueue(queue, arguments);
        publish(0, messages);
        connection.name = QStringLiteral("shop");
        connection.errorQueues = {queue};
        must(store->transact([&](store::Session &session) -> Result<> {
            connection.id = must(session.connections().add(connection));
            return {};
        }));
        restart();
    }
    ~Fixture() { admin.removeQueue(queue); }

    // As the next start of the program.
    void restart(bool steps = true)
    {
        intake.reset();
        state.reset();
        rabbit.reset();
        line.reset();
        random = std::make_unique<core::SeededRandom>(++m_starts);
        line = std::make_unique<http::RetryingClient>(site.client(), site.clock(), *random);
        broker::rabbitmq::Settings settings = site.settings(vhost);
        settings.authorization = "Basic " + (user + QLatin1Char(':') + user).toUtf8().toBase64();
        settings.errorQueues = connection.errorQueues;
        settings.takesInSteps = steps;
        rabbit = std::make_unique<broker::RabbitMq>(*line, site.clock(), *random, settings);
        state = std::make_unique<broker::BrokerState>(*rabbit, site.clock());
        intake =
            std::make_unique<intake::Intake>(connection, *state, *store, site.clock(), *random, [] { return 1.0; });
    }
    void publish(int from, int count)
    {
        QList<records::Envelope> all;
        for (int i = from; i < from + count; ++i) {
            all.append(failed(i));
            sent.append(failed(i).body);
        }
        admin.publish(queue, all);
    }
    void publishTwins(int count)
    {
        admin.publish(queue, QList<records::Envelope>(count, failed(0)));
        sent += QByteArrayList(count, failed(0).body);
    }
    [[nodiscard]] intake::Order all(std::optional<qint64> limit = {}) const
    {
        intake::Order order;
        order.queue = queue;
        order.limit = limit;
        return order;
    }
    [[nodiscard]] Result<IntakeCounts> take(std::optional<qint64> limit = {})
    {
        return site.wait(intake->take(all(limit)));
    }
    // Begins `task`, and dies when it `isTime`, or when the task has ended.
    void dieIn(core::Task<Result<IntakeCounts>> task, const std::function<bool()> &isTime)
    {
        bool ended = false;
        const core::Task<> running = untilTheEnd(std::move(task), ended);
        QVERIFY(site.until([&] { return ended || isTime(); }, 120s));
        intake->stop();
        rabbit->cancelAll();
        QVERIFY(site.until([&] { return ended; }, 60s));
        restart();
    }
    // surplus: that are there again, and not called possible duplicates.
    [[nodiscard]] QByteArrayList bodies(int &surplus, int *flagged = nullptr)
    {
        QByteArrayList all;
        must(store->read([&](store::Session &session) -> Result<> {
            for (const core::MessageId id : must(session.messages().slice({}, {}, 20000)).ids) {
                const records::FailedMessage message = must(session.messages().load(id));
                const QByteArray body = must(session.messages().loadEnvelope(id)).body;
                const bool isFlagged = message.flags.testFlag(records::MessageFlag::PossibleDuplicate);
                if (flagged != nullptr && isFlagged)
                    ++*flagged;
                if (!all.contains(body))
                    all.append(body);
                else if (!isFlagged)
                    ++surplus;
            }
            return {};
        }));
        std::sort(all.begin(), all.end());
        return all;
    }
    [[nodiscard]] int runsInProgress()
    {
        int count = 0;
        must(store->read([&](store::Session &session) -> Result<> {
            for (const records::IntakeRun &run : must(session.intakes().open(connection.id)))
                count += run.state == records::IntakeState::Interrupted ? 0 : 1;
            return {};
        }));
        return count;
    }

    support::RabbitSite &site;
    support::RabbitAdmin admin;
    const QString queue;
    const QString user;
    std::unique_ptr<store::Store> store;
    records::Connection connection;
    QByteArrayList sent;
    std::unique_ptr<core::SeededRandom> random;
    std::unique_ptr<http::RetryingClient> line;
    std::unique_ptr<broker::RabbitMq> rabbit;
    std::unique_ptr<broker::BrokerState> state;
    std::unique_ptr<intake::Intake> intake;

private:
    static core::Task<> untilTheEnd(core::Task<Result<IntakeCounts>> task, bool &ended)
    {
        const Result<IntakeCounts> taken = co_await task;
        static_cast<void>(taken);
        ended = true;
    }

    quint64 m_starts = 0;
};

// Of perfect twins: none is missing, and those that may be too many are flagged.
void verifyNoTwinIsMissing(Fixture &fixture, const char *moment)
{
    int stored = 0;
    int flagged = 0;
    must(fixture.store->read([&](store::Session &session) -> Result<> {
        for (const core::MessageId id : must(session.messages().slice({}, {}, 20000)).ids) {
            ++stored;
            const records::FailedMessage message = must(session.messages().load(id));
            flagged += message.flags.testFlag(records::MessageFlag::PossibleDuplicate) ? 1 : 0;
        }
        return {};
    }));
    const QByteArray counts = moment + (": stored " + QByteArray::number(stored));
    QVERIFY2(stored >= fixture.sent.size() && stored - flagged <= fixture.sent.size(), counts.constData());
    QVERIFY2(fixture.admin.drain(fixture.queue).isEmpty(), moment);
    QVERIFY2(fixture.runsInProgress() == 0, moment);
}

void verifyAllOnce(Fixture &fixture, const char *moment)
{
    int surplus = 0;
    int flagged = 0;
    const QByteArrayList stored = fixture.bodies(surplus, &flagged);
    QVERIFY2(stored == fixture.sent, moment);
    QVERIFY2(surplus == 0, moment);
    QVERIFY2(flagged == 0, moment);
    QVERIFY2(fixture.admin.drain(fixture.queue).isEmpty(), moment);
    QVERIFY2(fixture.runsInProgress() == 0, moment);
}

QCborMap ofType(const QString &type)
{
    return {{QStringLiteral("x-queue-type"), type}};
}

} // namespace

class TestRabbitMqSteps final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase_data() { support::VersionedSites::addRows({"3.10.8", "4.0.5", "4.3.6"}); }
    void initTestCase() { support::VersionedSites::skipWithoutServer(); }
    void init();
    void nothingIsTakenInStepsUnlessAPersonChoseIt();
    void withoutTheTagMonitoringThereAreNoSteps();
    void allIsTakenOnce();
    void noMoreIsTakenThanWasAskedFor();
    void unsafeQueuesAreRefused();
    void aQueueWithAConsumerIsRefused();
    void withoutStatisticsNothingIsTaken_data();
    void withoutStatisticsNothingIsTaken();
    void aCallWithoutAnAnswerLosesNothing_data();
    void aCallWithoutAnAnswerLosesNothing();
    void aDeathAtAnyCallLosesNothing_data();
    void aDeathAtAnyCallLosesNothing();
    void aRemovalThatArrivesLateLosesNothing();
    void aLookWithoutAnAnswerIsAwaited();
    void aTrickleLeavesNoRuns();
    void whatOthersPutThereIsStoredAtOnce();
    void whenOthersTakeNothingIsLost_data();
    void whenOthersTakeNothingIsLost();
    void anEndOfTheBrokerDoublesOnlyWhatIsFlagged();

private:
    [[nodiscard]] support::FakeSite *fake() const { return dynamic_cast<support::FakeSite *>(m_site); }
    // Where a test chooses the moment; once, because classic queues are the same on all versions.
    [[nodiscard]] bool isChosen() const { return fake() != nullptr && m_version < QVersionNumber(4); }

    support::VersionedSites m_sites;
    support::RabbitSite *m_site = nullptr;
    QVersionNumber m_version;
};

void TestRabbitMqSteps::init()
{
    m_site = m_sites.site(false);
    if (m_site == nullptr)
        return;
    m_version = support::RabbitAdmin(*m_site, vhost).version();
    if (fake() != nullptr)
        fake()->rabbit().setFaults({});
}

void TestRabbitMqSteps::nothingIsTakenInStepsUnlessAPersonChoseIt()
{
    Fixture fixture(*m_site, QStringLiteral("failed.choice"), 5);
    fixture.restart(false);
    const Result<IntakeCounts> refused = fixture.take();
    QVERIFY(!refused);
    QCOMPARE(core::toString(refused.error().kind), core::toString(ErrorKind::Refused));
    QVERIFY2(refused.error().message.contains(records::stepsOffer(QStringLiteral("shop"))),
             qPrintable(refused.error().message));
    QVERIFY(fixture.state->capabilities().offersSteps);
    QVERIFY(!fixture.state->capabilities().canTake);
    QCOMPARE(fixture.admin.depth(fixture.queue), 5);
    fixture.restart();
    QVERIFY(must(m_site->wait(fixture.rabbit->probe())).takesInSteps);
    QVERIFY(must(m_site->wait(fixture.rabbit->probe())).guarantee.contains(records::stepsGuarantee()));
    QVERIFY(fixture.rabbit->stagingQueue() == nullptr);
    const Result<IntakeCounts> taken = fixture.take();
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->taken, 5);
}

// Without it nobody sees whether the broker restarted and brought something back.
void TestRabbitMqSteps::withoutTheTagMonitoringThereAreNoSteps()
{
    const Fixture fixture(*m_site, QStringLiteral("failed.tag"), 5, ofType(QStringLiteral("classic")),
                          QStringLiteral("management"));
    const broker::Capabilities found = must(m_site->wait(fixture.rabbit->probe()));
    QVERIFY(!found.canTake);
    QVERIFY(!found.offersSteps);
}

void TestRabbitMqSteps::allIsTakenOnce()
{
    Fixture fixture(*m_site, QStringLiteral("failed.all"), 230);
    records::Envelope large; // larger than what the first read of a look shows
    large.body = QByteArray(400 * 1024, 'x');
    fixture.admin.publish(fixture.queue, {large, large});
    fixture.sent += QByteArrayList{large.body};
    std::sort(fixture.sent.begin(), fixture.sent.end());
    const Result<IntakeCounts> taken = fixture.take();
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->taken, 232);
    int surplus = 0;
    int flagged = 0;
    QCOMPARE(fixture.bodies(surplus, &flagged), fixture.sent);
    QCOMPARE(surplus, 1); // the perfect twin is a message of its own
    QCOMPARE(flagged, 0);
    QCOMPARE(fixture.admin.drain(fixture.queue).size(), 0);
    QCOMPARE(must(m_site->wait(fixture.admin.api().liveQueues(QStringLiteral("redrive.")))).size(), 0);
    QCOMPARE(fixture.runsInProgress(), 0);
}

void TestRabbitMqSteps::noMoreIsTakenThanWasAskedFor()
{
    Fixture fixture(*m_site, QStringLiteral("failed.limit"), 100);
    const Result<IntakeCounts> taken = fixture.take(60);
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->taken, 60);
    QCOMPARE(fixture.admin.depth(fixture.queue), 40);
    int surplus = 0;
    QByteArrayList all = fixture.bodies(surplus);
    QCOMPARE(all.size(), 60);
    for (const records::Envelope &left : fixture.admin.drain(fixture.queue))
        all.append(left.body);
    std::sort(all.begin(), all.end());
    QCOMPARE(all, fixture.sent);
}

void TestRabbitMqSteps::unsafeQueuesAreRefused()
{
    const QList<QCborMap> unsafe{
        {{QStringLiteral("x-queue-type"), QStringLiteral("classic")}, {QStringLiteral("x-max-priority"), 5}},
        ofType(QStringLiteral("quorum")),
        {{QStringLiteral("x-queue-type"), QStringLiteral("quorum")}, {QStringLiteral("x-delivery-limit"), 5}},
    };
    for (qsizetype i = 0; i < unsafe.size(); ++i) {
        Fixture fixture(*m_site, QStringLiteral("failed.unsafe.%1").arg(i), 5, unsafe.at(i));
        const Result<IntakeCounts> taken = fixture.take();
        QVERIFY(!taken);
        QCOMPARE(core::toString(taken.error().kind), core::toString(ErrorKind::Refused));
        QVERIFY2(taken.error().message.contains(fixture.queue), qPrintable(taken.error().message));
        int surplus = 0;
        QCOMPARE(fixture.bodies(surplus).size(), 0);
        QCOMPARE(fixture.runsInProgress(), 0);
        QCOMPARE(fixture.admin.drain(fixture.queue).size(), 5);
    }
}

// On the real one the consumer has answered all that it got, so that only the number of consumers shows it.
void TestRabbitMqSteps::aQueueWithAConsumerIsRefused()
{
    Fixture fixture(*m_site, QStringLiteral("failed.used"), 5);
    QProcess consumer;
    if (fake() != nullptr) {
        fake()->rabbit().setOthers([](const http::Request &request) -> std::optional<http::Response> {
            if (request.url.query() != QLatin1String("columns=consumers,type"))
                return std::nullopt;
            return support::fakerabbit::json(
                QCborMap{{QStringLiteral("consumers"), 1}, {QStringLiteral("type"), QStringLiteral("classic")}});
        });
    } else {
        support::startReader(consumer, dynamic_cast<support::RabbitServer &>(*m_site), vhost, fixture.queue);
        QVERIFY(m_site->until([&] { return fixture.admin.depth(fixture.queue) == 0; }, 60s));
        m_site->pause(6s); // the broker counts the consumer
    }
    const Result<IntakeCounts> taken = fixture.take();
    if (fake() != nullptr)
        fake()->rabbit().setOthers({});
    consumer.kill();
    consumer.waitForFinished();
    QVERIFY(!taken);
    QCOMPARE(core::toString(taken.error().kind), core::toString(ErrorKind::Refused));
    QVERIFY2(taken.error().message.contains(QStringLiteral("consumers (1 now)")), qPrintable(taken.error().message));
}

void TestRabbitMqSteps::withoutStatisticsNothingIsTaken_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<QString>("told");
    QTest::newRow("consumers") << QStringLiteral("columns=consumers,type") << QStringLiteral("how many consumers");
    QTest::newRow("nodes") << QStringLiteral("columns=name,running,os_pid,uptime") << QStringLiteral("since when");
}

// As with `management_agent.disable_metrics_collector`: nobody knows who takes from the queue, or whether a node restarted.
void TestRabbitMqSteps::withoutStatisticsNothingIsTaken()
{
    if (fake() == nullptr)
        QSKIP("Only the one in memory has no statistics.");
    QFETCH(const QString, query);
    QFETCH(const QString, told);
    Fixture fixture(*m_site, QStringLiteral("failed.untold"), 5);
    fake()->rabbit().setOthers([&](const http::Request &request) -> std::optional<http::Response> {
        if (request.url.query() != query)
            return std::nullopt;
        const bool isList = request.url.path().endsWith(QLatin1String("/nodes"));
        const QCborMap one{{QStringLiteral("type"), QStringLiteral("classic")},
                           {QStringLiteral("name"), QStringLiteral("one")},
                           {QStringLiteral("running"), true}};
        return support::fakerabbit::json(isList ? QCborValue(QCborArray{one}) : QCborValue(one));
    });
    const Result<IntakeCounts> taken = fixture.take();
    fake()->rabbit().setOthers({});
    QVERIFY(!taken);
    QCOMPARE(core::toString(taken.error().kind), core::toString(ErrorKind::Transient));
    QVERIFY2(taken.error().message.contains(told), qPrintable(taken.error().message));
    int surplus = 0;
    QCOMPARE(fixture.bodies(surplus).size(), 0);
    QCOMPARE(fixture.admin.depth(fixture.queue), 5);
}

void TestRabbitMqSteps::aCallWithoutAnAnswerLosesNothing_data()
{
    QTest::addColumn<FakeRabbit::Fault>("fault");
    QTest::addColumn<int>("twins");
    QTest::newRow("nothing arrives") << FakeRabbit::Fault::LostBefore << 0;
    QTest::newRow("nothing arrives, of twins") << FakeRabbit::Fault::LostBefore << 200;
    QTest::newRow("no answer comes back") << FakeRabbit::Fault::LostAfter << 0;
    QTest::newRow("no answer comes back, of twins") << FakeRabbit::Fault::LostAfter << 200;
}

// Each call in turn; a removal also each time that it is sent.
void TestRabbitMqSteps::aCallWithoutAnAnswerLosesNothing()
{
    if (!isChosen())
        QSKIP("Only the one in memory loses a chosen call.");
    QFETCH(const FakeRabbit::Fault, fault);
    QFETCH(const int, twins);
    bool isWithin = true;
    int calls = 0;
    for (; isWithin; ++calls) {
        Fixture fixture(*m_site, QStringLiteral("failed.lost"), twins > 0 ? 0 : 120);
        fixture.publishTwins(twins);
        int seen = 0;
        isWithin = false;
        fake()->rabbit().setFaults([&](const http::Request &) {
            const bool isTime = seen++ == calls;
            isWithin = isWithin || isTime;
            return isTime ? fault : FakeRabbit::Fault::None;
        });
        const QByteArray text = "call " + QByteArray::number(calls);
        const Result<IntakeCounts> taken = fixture.take();
        fake()->rabbit().setFaults({});
        QVERIFY2(taken, QByteArray(text + ": " + test::why(taken)).constData());
        (twins > 0 ? verifyNoTwinIsMissing : verifyAllOnce)(fixture, text.constData());
        if (QTest::currentTestFailed())
            return;
    }
    QVERIFY(calls > 10);
}

void TestRabbitMqSteps::aDeathAtAnyCallLosesNothing_data()
{
    QTest::addColumn<FakeRabbit::Fault>("fault");
    QTest::addColumn<int>("twins");
    QTest::newRow("nothing arrives") << FakeRabbit::Fault::LostBefore << 0;
    QTest::newRow("nothing arrives, of twins") << FakeRabbit::Fault::LostBefore << 200;
    QTest::newRow("it arrives") << FakeRabbit::Fault::LostAfter << 0;
    QTest::newRow("it arrives, of twins") << FakeRabbit::Fault::LostAfter << 200;
    QTest::newRow("it arrives late") << FakeRabbit::Fault::Late << 0;
    QTest::newRow("it arrives late, of twins") << FakeRabbit::Fault::Late << 200;
}

// The second program dies at once, too.
void TestRabbitMqSteps::aDeathAtAnyCallLosesNothing()
{
    if (!isChosen())
        QSKIP("Only the one in memory loses a chosen call.");
    QFETCH(const FakeRabbit::Fault, fault);
    QFETCH(const int, twins);
    bool isWithin = true;
    int calls = 0;
    for (; isWithin; ++calls) {
        Fixture fixture(*m_site, QStringLiteral("failed.death"), twins > 0 ? 0 : 120);
        fixture.publishTwins(twins);
        const QByteArray text = "call " + QByteArray::number(calls);
        int seen = 0;
        bool isTime = false;
        fake()->rabbit().setFaults([&](const http::Request &) {
            const bool isNow = seen++ == calls;
            isTime = isTime || isNow;
            return isNow ? fault : FakeRabbit::Fault::None;
        });
        fixture.dieIn(fixture.intake->take(fixture.all()), [&] { return isTime; });
        isWithin = isTime;
        fake()->rabbit().setFaults({});
        int steps = 0;
        fixture.dieIn(fixture.intake->recover(), [&] { return ++steps > 5; });
        fake()->clock().after(5s, [this] { fake()->rabbit().letLateArrive(); });
        const Result<IntakeCounts> recovered = m_site->wait(fixture.intake->recover());
        QVERIFY2(recovered, QByteArray(text + ": " + test::why(recovered)).constData());
        const Result<IntakeCounts> taken = fixture.take();
        QVERIFY2(taken, QByteArray(text + ": " + test::why(taken)).constData());
        m_site->pause(6s);
        (twins > 0 ? verifyNoTwinIsMissing : verifyAllOnce)(fixture, text.constData());
        if (QTest::currentTestFailed())
            return;
    }
    QVERIFY(calls > 5);
}

// Between any two requests of the next program, for as long as requests may be late.
void TestRabbitMqSteps::aRemovalThatArrivesLateLosesNothing()
{
    if (!isChosen())
        QSKIP("Only in the one in memory a call is late.");
    bool isWithin = true;
    int moments = 0;
    for (; isWithin; ++moments) {
        Fixture fixture(*m_site, QStringLiteral("failed.late"), 120);
        FakeRabbit &rabbit = fake()->rabbit();
        rabbit.setFaults([&](const http::Request &request) {
            return removes(request) && !rabbit.hasLate() ? FakeRabbit::Fault::Late : FakeRabbit::Fault::None;
        });
        fixture.dieIn(fixture.intake->take(fixture.all()), [&] { return rabbit.hasLate(); });
        QVERIFY(rabbit.hasLate());
        int requests = 0;
        bool isLooking = false;
        rabbit.setFaults([&](const http::Request &request) {
            isLooking = isLooking || request.url.path().endsWith(QLatin1String("/get"));
            if (!isLooking && requests++ == moments)
                rabbit.letLateArrive();
            return FakeRabbit::Fault::None;
        });
        const QByteArray text = "at request " + QByteArray::number(moments);
        const Result<IntakeCounts> recovered = m_site->wait(fixture.intake->recover());
        QVERIFY2(recovered, QByteArray(text + ": " + test::why(recovered)).constData());
        isWithin = !rabbit.hasLate();
        rabbit.setFaults({});
        const Result<IntakeCounts> taken = fixture.take();
        QVERIFY2(taken, QByteArray(text + ": " + test::why(taken)).constData());
        verifyAllOnce(fixture, text.constData());
        rabbit.letLateArrive(); // now it meets an empty queue
        if (QTest::currentTestFailed())
            return;
    }
    QVERIFY(moments > 1);
}

// It still holds what it showed, and gives that back before the removal, or when it can be late no more.
void TestRabbitMqSteps::aLookWithoutAnAnswerIsAwaited()
{
    if (!isChosen())
        QSKIP("Only in the one in memory a look is late.");
    Fixture fixture(*m_site, QStringLiteral("failed.look"), 300);
    support::fakerabbit::Queue &source = fake()->rabbit().broker().vhost(vhost)->queues.at(fixture.queue);
    std::deque<support::fakerabbit::Message> held;
    const auto giveBack = [&] {
        source.ready.insert(source.ready.begin(), held.cbegin(), held.cend());
        held.clear();
    };
    bool wasLost = false;
    bool wasRemoved = false;
    fake()->rabbit().setFaults([&](const http::Request &request) {
        if (removes(request)) {
            giveBack();
            return std::exchange(wasRemoved, true) ? FakeRabbit::Fault::None : FakeRabbit::Fault::LostAfter;
        }
        if (!request.url.path().endsWith(QLatin1String("/get")) || std::exchange(wasLost, true))
            return FakeRabbit::Fault::None;
        held.assign(source.ready.begin(), source.ready.begin() + 100);
        source.ready.erase(source.ready.begin(), source.ready.begin() + 100);
        fake()->clock().after(9s, giveBack);
        return FakeRabbit::Fault::LostBefore;
    });
    const Result<IntakeCounts> taken = fixture.take();
    fake()->rabbit().setFaults({});
    QVERIFY2(taken, test::why(taken).constData());
    QVERIFY(wasLost && wasRemoved);
    verifyAllOnce(fixture, "at the end");
}

// A subscribed queue in which a message arrives every few seconds.
void TestRabbitMqSteps::aTrickleLeavesNoRuns()
{
    if (!isChosen())
        QSKIP("Only in the one in memory time is cheap.");
    Fixture fixture(*m_site, QStringLiteral("failed.trickle"), 0);
    qsizetype most = 0;
    for (int i = 0; i < 120; ++i) {
        fixture.publish(i, 1);
        const Result<IntakeCounts> taken = fixture.take();
        QVERIFY2(taken, test::why(taken).constData());
        must(fixture.store->read([&](store::Session &session) -> Result<> {
            most = std::max(most, must(session.intakes().open(fixture.connection.id)).size());
            return {};
        }));
        m_site->pause(3s);
    }
    QVERIFY2(most <= 60, QByteArray::number(most).constData());
    verifyAllOnce(fixture, "at the end");
}

// Somebody returns messages to the head between the look and the removal.
void TestRabbitMqSteps::whatOthersPutThereIsStoredAtOnce()
{
    if (!isChosen())
        QSKIP("Only in the one in memory others act at the chosen moment.");
    Fixture fixture(*m_site, QStringLiteral("failed.put"), 120);
    support::fakerabbit::Queue &source = fake()->rabbit().broker().vhost(vhost)->queues.at(fixture.queue);
    bool isDone = false;
    fake()->rabbit().setFaults([&](const http::Request &request) {
        if (removes(request) && !std::exchange(isDone, true)) {
            for (int i = 0; i < 3; ++i) {
                support::fakerabbit::Message returned = source.ready.front();
                returned.body = "returned " + QByteArray::number(i);
                source.ready.push_front(returned);
            }
        }
        return FakeRabbit::Fault::None;
    });
    const Result<IntakeCounts> stopped = fixture.take();
    QVERIFY(!stopped);
    QCOMPARE(core::toString(stopped.error().kind), core::toString(ErrorKind::Refused));
    int surplus = 0;
    QVERIFY(fixture.bodies(surplus).contains("returned 0"));
    QVERIFY(fixture.take());
    QCOMPARE(fixture.bodies(surplus).size(), 123);
    QCOMPARE(surplus, 0);
}

void TestRabbitMqSteps::whenOthersTakeNothingIsLost_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("isAnswered");
    for (const int count : {1, 7, 50}) {
        QTest::addRow("%d, with an answer", count) << count << true;
        QTest::addRow("%d, without", count) << count << false;
    }
}

// Somebody takes the first messages between the look and the removal. What may be there twice is flagged.
void TestRabbitMqSteps::whenOthersTakeNothingIsLost()
{
    if (!isChosen())
        QSKIP("Only in the one in memory others act at the chosen moment.");
    QFETCH(const int, count);
    QFETCH(const bool, isAnswered);
    Fixture fixture(*m_site, QStringLiteral("failed.others"), 160);
    support::fakerabbit::Queue &source = fake()->rabbit().broker().vhost(vhost)->queues.at(fixture.queue);
    QByteArrayList others;
    fake()->rabbit().setFaults([&](const http::Request &request) {
        if (!removes(request) || !others.isEmpty())
            return FakeRabbit::Fault::None;
        for (int i = 0; i < count; ++i) {
            others.append(source.ready.front().body);
            source.ready.pop_front();
        }
        return isAnswered ? FakeRabbit::Fault::None : FakeRabbit::Fault::LostAfter;
    });
    const Result<IntakeCounts> stopped = fixture.take();
    QVERIFY(!stopped);
    QCOMPARE(core::toString(stopped.error().kind), core::toString(ErrorKind::Refused));
    const Result<IntakeCounts> taken = fixture.take();
    QVERIFY2(taken, test::why(taken).constData());
    int surplus = 0;
    int flagged = 0;
    QByteArrayList all = fixture.bodies(surplus, &flagged);
    QCOMPARE(surplus, 0);
    QCOMPARE(flagged, isAnswered ? 0 : 50 + count); // nobody knows who has which
    for (const QByteArray &body : others) {
        if (!all.contains(body))
            all.append(body);
    }
    std::sort(all.begin(), all.end());
    QCOMPARE(all, fixture.sent);
}

// RabbitMQ has not written yet what was removed, and brings it back.
void TestRabbitMqSteps::anEndOfTheBrokerDoublesOnlyWhatIsFlagged()
{
    if (fake() != nullptr)
        QSKIP("The one in memory brings nothing back.");
    constexpr int count = 600;
    Fixture fixture(*m_site, QStringLiteral("failed.killed"), count);
    const Result<IntakeCounts> some = fixture.take(250);
    QVERIFY2(some, test::why(some).constData());
    m_site->kill();
    QVERIFY(m_site->restart());
    Result<IntakeCounts> taken = fixture.take();
    for (int tries = 0; tries < 60 && !taken; ++tries) {
        m_site->pause(1000ms);
        taken = fixture.take();
    }
    QVERIFY2(taken, test::why(taken).constData());
    int surplus = 0;
    int flagged = 0;
    QCOMPARE(fixture.bodies(surplus, &flagged), fixture.sent);
    QCOMPARE(surplus, 0);
    QVERIFY2(flagged <= 250, QByteArray::number(flagged).constData());
    QCOMPARE(fixture.admin.drain(fixture.queue).size(), 0);
}

REDRIVE_TEST(TestRabbitMqSteps)
#include "tst_rabbitmq_steps.moc"
