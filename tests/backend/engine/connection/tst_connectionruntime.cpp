// What a connection reports about its broker, step by step on a fake clock.
#include "backend/engine/connection/connectionruntime.h"
#include "backend/engine/connection/localsecrets.h"
#include "backend/engine/dispatch/auditlog.h"
#include "backend/engine/snapshot/throughputrecorder.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/frozensetstore.h"
#include "backend/store/retry/intentstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/fakebroker/fakebroker.h"
#include "tests/support/fakeclock.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

namespace {

broker::Capabilities capabilities()
{
    broker::Capabilities able;
    able.canTake = true;
    able.handOver = records::HandOver::IntentLog;
    return able;
}

struct Scene
{
    support::FakeClock clock;
    core::SeededRandom random{1};
    engine::LocalSecrets secrets;
    std::unique_ptr<store::Store> store = test::must(store::openSqliteStore(QStringLiteral(":memory:")));
    std::shared_ptr<support::FakeBroker> broker = std::make_shared<support::FakeBroker>(clock, random, capabilities());
    engine::EngineDependencies dependencies{
        *store, clock, random, secrets, {}, {}, QStringLiteral(":memory:"), QStringLiteral("session")};
    engine::AuditLog auditLog{*store, clock};
    engine::ThroughputRecorder recorder{clock, [](core::OperationId, const records::RunSample &) {}, [] {}};
    std::unique_ptr<engine::ConnectionRuntime> runtime;

    records::Connection connection;

    explicit Scene(std::optional<core::Error> noSecret = {}, bool reopened = false)
    {
        connection.name = QStringLiteral("shop");
        test::must(store->transact([&](store::Session &session) -> core::Result<> {
            connection.id = test::must(session.connections().add(connection));
            return {};
        }));
        runtime = std::make_unique<engine::ConnectionRuntime>(
            engine::ConnectionContext{dependencies, auditLog, recorder, [] {}}, connection, broker, noSecret, reopened);
    }

    core::OperationId waiting() { return add(records::OperationState::Waiting, 0); }

    // With this many members, each a message for the queue orders.
    core::OperationId add(records::OperationState state, int members)
    {
        core::OperationId id;
        test::must(store->transact([&](store::Session &session) -> core::Result<> {
            QList<core::MessageId> messages;
            for (int n = 0; n < members; ++n) {
                store::NewMessage message = test::sampleMessage(connection.id, n);
                message.message.destination.queue = QStringLiteral("orders");
                messages << test::must(session.messages().insert(message));
            }
            records::RetryOperation operation;
            operation.connection = connection.id;
            id = test::must(session.retryOperations().add(operation));
            store::FreezeRules all;
            all.asOfChange = std::numeric_limits<qint64>::max();
            static_cast<void>(test::must(session.frozenSets().freeze(id, messages, all)));
            operation = test::must(session.retryOperations().load(id));
            operation.state = state;
            return session.retryOperations().update(operation);
        }));
        return id;
    }

    records::RetryOperation operation(core::OperationId id)
    {
        records::RetryOperation found;
        test::must(store->read([&](store::Session &session) -> core::Result<> {
            found = test::must(session.retryOperations().load(id));
            return {};
        }));
        return found;
    }

    qsizetype openIntents()
    {
        qsizetype open = 0;
        test::must(store->read([&](store::Session &session) -> core::Result<> {
            const QList<records::RetryBatch> live = test::must(session.retryBatches().live(connection.id, 10));
            for (const records::RetryBatch &batch : live)
                open += test::must(session.intents().openIntents(batch.id)).size();
            return {};
        }));
        return open;
    }

    void stop()
    {
        bool stopped = false;
        const auto end = [](engine::ConnectionRuntime &what, bool &done) -> core::Task<> {
            co_await what.stop();
            done = true;
        };
        end(*runtime, stopped);
        while (!stopped && clock.step()) {
        }
    }

    QString reason(core::OperationId id)
    {
        QString reason;
        test::must(store->read([&](store::Session &session) -> core::Result<> {
            reason = test::must(session.retryOperations().load(id)).waitingReason;
            return {};
        }));
        return reason;
    }

    ~Scene() { stop(); }
};

} // namespace

class TestConnectionRuntime final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // A plan made before the listing would report every destination as missing.
    void aBrokerIsKnownOnlyWhenItsQueuesAre()
    {
        Scene scene;
        scene.broker->addQueue(QStringLiteral("orders"));
        scene.runtime->start();
        bool probedFirst = false;
        for (int steps = 0; steps < 1000 && !scene.runtime->isKnown(); ++steps) {
            probedFirst = probedFirst || !scene.runtime->capabilities().product.isEmpty()
                          || scene.runtime->capabilities().canTake;
            QVERIFY(scene.clock.step());
        }
        QVERIFY(probedFirst); // the case occurred
        QVERIFY(scene.runtime->isKnown());
        const QList<broker::QueueInfo> &queues = scene.runtime->queues();
        QVERIFY(std::any_of(queues.cbegin(), queues.cend(),
                            [](const broker::QueueInfo &queue) { return queue.name == u"orders"; }));
    }

    // Calls are repeated for minutes; the engine waits that long.
    void whoWaitsForASilentBrokerGivesUpAndTheEngineDoesNot()
    {
        Scene scene;
        scene.broker->addQueue(QStringLiteral("error"));
        scene.runtime->start();
        std::optional<core::Result<records::BrowseCounts>> browsed;
        std::optional<core::Result<records::IntakeCounts>> taken;
        std::optional<core::Result<>> refreshed;
        const auto browse = [](Scene &on, auto &into) -> core::Task<> {
            into = co_await on.runtime->browse(QStringLiteral("error"), 10, {}, false);
        };
        const auto take = [](Scene &on, auto &into) -> core::Task<> {
            into = co_await on.runtime->intake(QStringLiteral("error"), std::nullopt, {});
        };
        const auto refresh = [](Scene &on, auto &into) -> core::Task<> { into = co_await on.runtime->refresh(); };
        const core::Task<> browsing = browse(scene, browsed);
        const core::Task<> taking = take(scene, taken);
        const core::Task<> refreshing = refresh(scene, refreshed);
        QVERIFY(!browsed && !taken && !refreshed);
        const core::Error silence{core::ErrorKind::Transient, QStringLiteral("No answer."), {}, {}};
        scene.broker->silent(silence);
        QVERIFY(browsed && !*browsed && browsed->error() == silence);
        QVERIFY(taken && !*taken && taken->error() == silence);
        QVERIFY(refreshed && !*refreshed && refreshed->error() == silence);
        QVERIFY(scene.runtime->view().health == api::Health::Unknown);
        QCOMPARE(scene.runtime->view().words, silence.message);
        for (int steps = 0; steps < 1000 && !scene.runtime->isKnown(); ++steps)
            QVERIFY(scene.clock.step());
        QVERIFY(scene.runtime->isKnown());
    }

    void aBrokerThatAnswersSomeRequestsSaysHowManyFail()
    {
        Scene scene;
        int failing = 3;
        scene.broker->setFailingShare([&failing] { return failing; });
        scene.runtime->start();
        QCOMPARE(scene.runtime->view().words, QString()); // it has not answered yet
        for (int steps = 0; steps < 1000 && !scene.runtime->isKnown(); ++steps)
            QVERIFY(scene.clock.step());
        QVERIFY(scene.runtime->view().health == api::Health::Connected);
        QVERIFY(scene.runtime->view().words.contains(QLatin1Char('3')));
        failing = 0;
        QCOMPARE(scene.runtime->view().words, QString());
    }

    // The listing waits for its answer for a minute, and says nothing until then.
    void callsInARowWithoutAnAnswerAreWorseThanAnOldListing()
    {
        Scene scene;
        records::CircuitBreaker calls;
        scene.broker->setBreaker([&calls] { return calls; });
        scene.broker->setFailingShare([] { return 2; });
        scene.runtime->start();
        for (int steps = 0; steps < 1000 && !scene.runtime->isKnown(); ++steps)
            QVERIFY(scene.clock.step());
        calls.failures = 1; // one of many may fail
        QVERIFY(scene.runtime->view().health == api::Health::Connected);
        for (const int failures : {3, 9}) {
            calls = {failures < 8 ? records::CircuitBreaker::State::Closed : records::CircuitBreaker::State::Open,
                     failures, scene.clock.now()};
            const api::ConnectionView view = scene.runtime->view();
            QVERIFY(view.health == api::Health::Unreachable);
            QVERIFY2(view.words.contains(QString::number(failures)) && !view.words.contains(QLatin1Char('%')),
                     qPrintable(view.words));
        }
        calls = {};
        QVERIFY(scene.runtime->view().health == api::Health::Connected);
    }

    void callsThatAreHeldBackAreShownWithTheNextTry()
    {
        using State = records::CircuitBreaker::State;
        Scene scene;
        records::CircuitBreaker breaker;
        scene.broker->setBreaker([&breaker] { return breaker; });
        scene.broker->noLogin = core::Error{core::ErrorKind::Transient, QStringLiteral("refused"), {}, {}};
        scene.runtime->start();
        for (int steps = 0; steps < 1000 && scene.runtime->view().health == api::Health::Unknown; ++steps)
            QVERIFY(scene.clock.step());
        QVERIFY(scene.runtime->view().breaker.state == State::Closed); // few calls failed so far
        QVERIFY(scene.runtime->view().breakerWords.isEmpty());
        breaker = {State::Open, 9, scene.clock.now()};
        const records::CircuitBreaker shown = scene.runtime->view().breaker;
        QVERIFY(shown.state == State::Open);
        QVERIFY(shown.nextTry > scene.clock.now()); // the listing comes later than the first call that may go
        const QString words = scene.runtime->view().breakerWords;
        QVERIFY2(words.contains(QLatin1Char('9')) && words.contains(QStringLiteral("UTC")), qPrintable(words));
        QVERIFY(!scene.runtime->view().words.contains(QStringLiteral("next try"))); // it is named once
        breaker = {State::Probing, 9, {}};
        QVERIFY(scene.runtime->view().breaker.state == State::Probing);
        QVERIFY(scene.runtime->view().breakerWords != words);
    }

    // The success may be that of a retry, which waits for its own time.
    void theFirstSuccessListsTheQueuesAtOnce()
    {
        using State = records::CircuitBreaker::State;
        Scene scene;
        records::CircuitBreaker breaker{State::Open, 9, scene.clock.now()};
        scene.broker->setBreaker([&breaker] { return breaker; });
        scene.broker->noLogin = core::Error{core::ErrorKind::Transient, QStringLiteral("refused"), {}, {}};
        scene.runtime->start();
        for (int steps = 0; steps < 1000 && scene.runtime->view().health == api::Health::Unknown; ++steps)
            QVERIFY(scene.clock.step());
        scene.broker->noLogin.reset();
        const int before = scene.broker->probes;
        breaker = {State::Probing, 9, {}};
        scene.broker->breakerChanged();
        scene.clock.advance(std::chrono::milliseconds(0));
        QCOMPARE(scene.broker->probes, before); // not before it succeeds
        breaker = {};
        scene.broker->breakerChanged();
        scene.clock.advance(std::chrono::milliseconds(0));
        QCOMPARE(scene.broker->probes, before + 1);
        for (int steps = 0; steps < 1000 && !scene.runtime->isKnown(); ++steps)
            QVERIFY(scene.clock.step());
        QVERIFY(scene.runtime->view().breakerWords.isEmpty());
    }

    void whatTheBrokerAsksToWaitIsWaitedForInFull()
    {
        Scene scene;
        scene.broker->addQueue(QStringLiteral("error"));
        scene.broker->noLogin =
            core::Error{core::ErrorKind::Throttled, QStringLiteral("busy"), {}, std::chrono::minutes(5)};
        scene.runtime->start();
        for (int steps = 0; steps < 1000 && scene.runtime->view().health == api::Health::Unknown; ++steps)
            QVERIFY(scene.clock.step());
        const int before = scene.broker->probes;
        QVERIFY(scene.runtime->subscribe(QStringLiteral("error"), true)); // wakes the listing at other times
        scene.clock.advance(std::chrono::minutes(4));
        QCOMPARE(scene.broker->probes, before);
        scene.clock.advance(std::chrono::minutes(2));
        QVERIFY(scene.broker->probes > before);
    }

    // The broker only knows that the login is wrong.
    void whatWaitsForAMissingSecretSaysSo()
    {
        const QString noSecret = QStringLiteral("No secret is known for the connection shop.");
        Scene scene(core::Error{core::ErrorKind::NotFound, noSecret, {}, {}});
        scene.broker->noLogin = core::Error{core::ErrorKind::Unauthorized, QStringLiteral("401"), {}, {}};
        const core::OperationId id = scene.waiting();
        scene.runtime->start();
        for (int steps = 0; steps < 1000 && scene.reason(id).isEmpty(); ++steps)
            QVERIFY(scene.clock.step());
        QCOMPARE(scene.reason(id), noSecret);
        QVERIFY(scene.runtime->view().words.contains(noSecret));
    }

    void whatIsOnItsWayAtTheEndIsStillAnswered()
    {
        Scene scene;
        scene.broker->addQueue(QStringLiteral("orders"));
        const core::OperationId id = scene.add(records::OperationState::Waiting, 40);
        scene.runtime->start();
        for (int steps = 0; steps < 1000 && scene.openIntents() == 0; ++steps)
            QVERIFY(scene.clock.step());
        QVERIFY(scene.openIntents() > 0);
        scene.stop();
        QCOMPARE(scene.openIntents(), 0);
        QCOMPARE(scene.operation(id).counts.sent, qint64(scene.broker->depthOf(QStringLiteral("orders"))));
    }

    void aBrokerThatNeverAnswersDoesNotKeepTheEndWaiting()
    {
        Scene scene;
        scene.broker->addQueue(QStringLiteral("orders"));
        static_cast<void>(scene.add(records::OperationState::Waiting, 40));
        scene.runtime->start();
        for (int steps = 0; steps < 1000 && scene.openIntents() == 0; ++steps)
            QVERIFY(scene.clock.step());
        scene.broker->slowest = std::chrono::hours(1);
        for (int steps = 0; steps < 20; ++steps)
            QVERIFY(scene.clock.step());
        const core::TimePoint begun = scene.clock.now();
        scene.stop();
        QVERIFY(scene.clock.now() - begun < std::chrono::minutes(1));
    }

    // A set that is being frozen now must not be taken for one that a crash left.
    void onlyTheStartOfTheEngineDiscardsHalfASet_data()
    {
        QTest::addColumn<bool>("reopened");
        QTest::newRow("at the start") << false;
        QTest::newRow("when a connection was saved") << true;
    }
    void onlyTheStartOfTheEngineDiscardsHalfASet()
    {
        QFETCH(bool, reopened);
        Scene scene({}, reopened);
        const core::OperationId id = scene.add(records::OperationState::Freezing, 10);
        scene.runtime->start();
        for (int steps = 0; steps < 200; ++steps)
            QVERIFY(scene.clock.step());
        bool isThere = false;
        test::must(scene.store->read([&](store::Session &session) -> core::Result<> {
            isThere = session.retryOperations().load(id).has_value();
            return {};
        }));
        QCOMPARE(isThere, reopened);
    }

    void whatWaitsLooksAgainWhenTheBrokerIsBack()
    {
        int waited = 0; // runs in which the retries had not noticed it by themselves before
        for (int minutes = 3; minutes <= 12; ++minutes) {
            Scene scene;
            scene.broker->addQueue(QStringLiteral("orders"));
            scene.broker->setFaults({1000, 0, 0, 0, 0, 0});
            const core::OperationId id = scene.waiting();
            scene.runtime->start();
            const core::TimePoint begun = scene.clock.now();
            while (scene.clock.now() - begun < std::chrono::minutes(minutes))
                QVERIFY(scene.clock.step());
            QVERIFY(!scene.reason(id).isEmpty());
            scene.broker->setFaults({});
            bool isWaiting = false; // until the very step in which the broker is back
            while (!scene.runtime->isKnown()) {
                isWaiting = !scene.reason(id).isEmpty();
                QVERIFY(scene.clock.step());
            }
            waited += isWaiting ? 1 : 0;
            scene.clock.advance(std::chrono::milliseconds(100));
            QCOMPARE(scene.reason(id), QString());
        }
        QVERIFY(waited > 0);
    }
};

REDRIVE_TEST(TestConnectionRuntime)
#include "tst_connectionruntime.moc"
