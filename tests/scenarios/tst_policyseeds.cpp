// Recovery policies in the simulation: an engine on a fake clock and a fake broker, in which a seed decides every delay,
// error, crash around a commit, jump of the clock and request of a person. No message is retried more often than its
// policy says, and none is forgotten.
#include "backend/api/requests/decisions.h"
#include "backend/api/requests/policies.h"
#include "backend/api/requests/retries.h"
#include "backend/api/requests/retryplan.h"
#include "backend/engine/connection/localsecrets.h"
#include "backend/engine/engine.h"
#include "backend/engine/policies/policyservice.h"
#include "backend/recovery/files/policyfile.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/fakebroker/fakebroker.h"
#include "tests/support/fakeclock.h"
#include "tests/support/must.h"
#include "tests/support/store/faultystore.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>

using recovery::HeldState;
using support::FaultyStore;
using test::must;

namespace {

const QString errorQueue = QStringLiteral("error");
constexpr int messageCount = 8;

broker::Capabilities capabilitiesOf(records::HandOver handOver)
{
    broker::Capabilities can;
    can.handOver = handOver;
    can.canTake = true;
    can.sendBatch = handOver == records::HandOver::IntentLog ? 2 : 1;
    can.sendsInFlight = 2;
    return can;
}

// One life of a store: engines come and go, broker and consumers live on.
class PolicyRun final
{
public:
    explicit PolicyRun(quint64 seed)
        : random(seed)
        , store(std::move(store::openSqliteStore(folder.filePath(QStringLiteral("store"))).value()))
        , broker(std::make_shared<support::FakeBroker>(
              clock, random,
              capabilitiesOf(random.below(2) == 0 ? records::HandOver::IntentLog : records::HandOver::StagingQueue)))
    {
        broker->addQueue(errorQueue);
        addQueues();
        broker->delivered = [this](const support::FakeBroker::Delivery &delivery) { process(delivery); };
        broker->setFaults({.transient = 30, .throttled = 20, .lostBefore = 10, .lostAfter = 10, .nacked = 20});
        secrets.give(QStringLiteral("shop"), QStringLiteral("s3cret"));
        fill();
        policy.name = QStringLiteral("standard");
        policy.immediate = int(random.below(3));
        policy.delayed = int(random.below(3));
        policy.schedule.first = std::chrono::seconds(20);
        policy.stopWhen = records::StopWhen{};
        if (broker->can().handOver == records::HandOver::IntentLog && random.below(3) > 0) {
            policy.waitAt = recovery::WaitAt::Broker; // 20 s; 40 s are too long, so the store waits
            policy.delayed = std::max(policy.delayed, 1);
            broker->holdsBack = [](const QString &) { return std::chrono::seconds(30); };
        }
        if (random.below(2) == 0)
            policy.rateLimit = recovery::RateLimit{3, std::chrono::seconds(5)};
        if (random.below(3) == 0)
            policy.exhausted = {recovery::Exhausted::Do::Move, QStringLiteral("parking")};
        must(store->transact([this](store::Session &session) -> core::Result<> {
            TRY(session.policies().save(policy));
            recovery::Scope scope;
            scope.connection = shop;
            scope.queue = errorQueue;
            TRY(session.policies().assign({{}, policy.name, scope}));
            return session.intakes().setSubscribed(shop, errorQueue, true);
        }));
        start();
    }
    ~PolicyRun() { stop(); }
    PolicyRun(const PolicyRun &) = delete;
    PolicyRun &operator=(const PolicyRun &) = delete;

    void live(int steps)
    {
        for (int i = 0; i < steps; ++i) {
            if (engineStore->isDead()) {
                stop();
                ++crashes;
                start();
            }
            trouble();
            step();
            heldBack = std::max(heldBack, broker->heldBack);
        }
    }

    // No more faults, then until nothing is to be done.
    bool settle()
    {
        isCalm = true;
        broker->setFaults({});
        addQueues();
        for (int i = 0; i < 60'000; ++i) {
            if (engineStore->isDead()) {
                stop();
                start();
            }
            if (i % 500 == 0) {
                settleDoubts();
                resumeAll();
                if (isOver())
                    return true;
            }
            step();
        }
        return false;
    }

    [[nodiscard]] QStringList faults()
    {
        QStringList wrong;
        const qint64 most = recovery::attemptsOf(policy) - 1;
        must(store->read([&](store::Session &session) -> core::Result<> {
            QHash<core::MessageId, int> sent;
            for (qint64 id = 1;; ++id) {
                const auto operation = session.retryOperations().load(core::OperationId{id});
                if (!operation)
                    break;
                if (operation->policy.isEmpty() || !operation->plan.redirects.isEmpty())
                    continue;
                TRY(const auto members, session.retryBatches().members(operation->id, {}, 0, 1000));
                for (const store::RetryMember &member : members)
                    sent[member.message] += member.outcome == records::Outcome::Sent ? 1 : 0;
            }
            for (int n = 1; n <= messageCount; ++n) {
                const core::MessageId id{n};
                TRY(const records::FailedMessage message, session.messages().load(id));
                TRY(const auto candidates, session.heldMessages().candidates({id}));
                const auto &held = candidates.first().held;
                if (sent.value(id) > most)
                    wrong
                        << QStringLiteral("message %1 was retried %2 times of %3").arg(n).arg(sent.value(id)).arg(most);
                const bool isUnresolved = message.status == records::MessageStatus::Unresolved;
                const bool isAtRest =
                    held && (held->state == HeldState::Exhausted || held->state == HeldState::Excluded);
                if (isUnresolved && !isAtRest)
                    wrong << QStringLiteral("message %1 is forgotten").arg(n);
            }
            return {};
        }));
        if (broker->depthOf(errorQueue) > 0)
            wrong << QStringLiteral("failures were left in the error queue");
        return wrong;
    }

    int crashes = 0;
    int heldBack = 0; // the most messages that the broker held back for a policy
    QString why; // it is not at rest

private:
    void fill()
    {
        must(store->transact([this](store::Session &session) -> core::Result<> {
            records::Connection connection = test::sampleConnection(QStringLiteral("shop"));
            connection.environment = records::Environment::Test;
            connection.errorQueues = {errorQueue};
            connection.doublesAllowed = false;
            connection.rights.setFlag(records::Right::Redirect);
            TRY(shop, session.connections().add(connection));
            for (int n = 0; n < messageCount; ++n) {
                store::NewMessage fresh = test::sampleMessage(shop, n);
                fresh.message.queue = errorQueue;
                fresh.message.dialect = QStringLiteral("unknown");
                fresh.message.destination = {n % 2 == 0 ? QStringLiteral("billing") : QStringLiteral("sales"),
                                             records::Certainty::Exact, QStringLiteral("test")};
                TRY(session.messages().insert(fresh));
            }
            return {};
        }));
    }

    void start()
    {
        engineStore = std::make_unique<FaultyStore>(*store, ++m_fence);
        engineStore->decide = [this](int) {
            if (isCalm || random.below(150) != 0)
                return FaultyStore::Fault::None;
            return random.below(2) == 0 ? FaultyStore::Fault::DieBeforeCommit : FaultyStore::Fault::DieAfterCommit;
        };
        dependencies = std::make_unique<engine::EngineDependencies>(
            engine::EngineDependencies{*engineStore,
                                       clock,
                                       random,
                                       secrets,
                                       [this](const records::Connection &, const QString &) { return broker; },
                                       {},
                                       {},
                                       {}});
        dependencies->session = QStringLiteral("session %1").arg(m_fence);
        engine = std::make_unique<engine::Engine>(*dependencies);
        engine->start();
    }

    // What the dead process left is dropped; nothing of it reaches the store any more.
    void stop()
    {
        engineStore->poison();
        bool stopped = false;
        const auto end = [](engine::Engine &what, bool &done) -> core::Task<> {
            co_await what.stop();
            done = true;
        };
        end(*engine, stopped);
        for (int i = 0; i < 100'000 && !stopped; ++i)
            step();
        if (!stopped)
            qFatal("the engine did not stop");
        engine.reset();
    }

    void step()
    {
        QCoreApplication::sendPostedEvents();
        clock.step();
    }

    void process(const support::FakeBroker::Delivery &delivery)
    {
        if (delivery.destination == errorQueue)
            return;
        const bool isParked = delivery.destination == QLatin1String("parking");
        if (random.below(100) >= (isParked ? 20 : 70))
            return; // processed
        records::Envelope failed = delivery.envelope;
        records::set(failed.headers, QStringLiteral("NServiceBus.FailedQ"), QCborValue(delivery.destination));
        records::set(failed.headers, QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"),
                     QCborValue(QStringLiteral("System.TimeoutException")));
        clock.after(core::Milliseconds{qint64(random.below(3000))},
                    [this, failed] { broker->put(errorQueue, failed); });
    }

    // Nobody waits for the answer: the engine may die first.
    template<api::Request R>
    void ask(R request)
    {
        engine->carryOut(std::make_shared<api::Asked<R>>(std::move(request)), QStringLiteral("ada@desk"));
    }

    void trouble()
    {
        const core::MessageId some{1 + qint64(random.below(messageCount))};
        switch (random.below(2000)) {
        case 0:
            clock.jump(std::chrono::minutes(qint64(random.below(1200)) - 600));
            break;
        case 1:
            broker->restart();
            break;
        case 2:
            ask(api::PausePolicy{policy.name, true});
            break;
        case 3:
            ask(api::PausePolicy{policy.name, false});
            break;
        case 4:
            ask(api::ExcludeFromPolicy{{some}, random.below(2) == 0});
            break;
        case 5:
            ask(api::PauseAll{random.below(2) == 0});
            break;
        case 6:
            ask(api::SetPolicy{recovery::toJson(policy)}); // every message meets it again
            break;
        case 7: {
            api::ConfirmRetry mine;
            mine.draft.filter.messages = {some};
            mine.expectedCount = 1;
            ask(mine);
            break;
        }
        case 8:
        case 9:
        case 10: {
            const std::array decisions{api::Decision::Archive, api::Decision::Restore, api::Decision::TakeBack};
            api::DecideMessages decide;
            decide.filter.messages = {some};
            decide.decision = decisions.at(size_t(random.below(decisions.size())));
            ask(decide);
            break;
        }
        case 11: {
            const core::OperationId newest{1 + qint64(random.below(20))};
            const std::array actions{api::OperationAction::Pause, api::OperationAction::Resume,
                                     api::OperationAction::Cancel};
            ask(api::ChangeOperation{newest, actions.at(size_t(random.below(actions.size())))});
            break;
        }
        case 12:
            broker->removeQueue(random.below(2) == 0 ? QStringLiteral("sales") : QStringLiteral("parking"));
            break;
        case 13:
            addQueues();
            break;
        default:
            break;
        }
    }

    void addQueues()
    {
        for (const char *queue : {"billing", "sales", "parking"})
            broker->addQueue(QLatin1StringView(queue));
    }

    void resumeAll()
    {
        ask(api::PauseAll{false});
        ask(api::PausePolicy{policy.name, false});
    }

    // A person says of each message in doubt that it arrived, and resumes what somebody paused.
    void settleDoubts()
    {
        for (qint64 id = 1;; ++id) {
            const auto operation = store->read<records::RetryOperation>(
                [id](store::Session &session) { return session.retryOperations().load(core::OperationId{id}); });
            if (!operation)
                break;
            if (operation->state == records::OperationState::Paused)
                ask(api::ChangeOperation{operation->id, api::OperationAction::Resume});
            if (operation->counts.inDoubt > 0)
                ask(api::SettleInDoubt{operation->id, {}, api::Settlement::AssumeSent});
        }
    }

    bool isOver()
    {
        bool over = false;
        must(store->read([&](store::Session &session) -> core::Result<> {
            TRY(const store::HeldCounts counts, session.heldMessages().counts(core::AssignmentId{1}, clock.now()));
            TRY(const auto unfinished, session.retryOperations().unfinished({}));
            TRY(const auto unsettled, session.policies().unsettled());
            why = QStringLiteral(
                      "waiting %1, leaving %2, in retry %3, %4 unfinished, %5 unsettled, %6 in the error queue")
                      .arg(counts.byState.value(HeldState::Waiting))
                      .arg(counts.byState.value(HeldState::Leaving))
                      .arg(counts.byState.value(HeldState::InRetry))
                      .arg(unfinished.size())
                      .arg(unsettled.size())
                      .arg(broker->depthOf(errorQueue));
            if (const QString waits = engine->policies().scheduler().waits(core::AssignmentId{1}).why; !waits.isEmpty())
                why += QStringLiteral(": ") + waits;
            over = counts.byState.value(HeldState::Waiting) == 0 && counts.byState.value(HeldState::Leaving) == 0
                   && unfinished.isEmpty() && unsettled.isEmpty() && broker->depthOf(errorQueue) == 0
                   && broker->heldBack == 0;
            return {};
        }));
        return over;
    }

    QTemporaryDir folder;
    support::FakeClock clock;
    core::SeededRandom random;
    engine::LocalSecrets secrets;
    std::unique_ptr<store::Store> store;
    std::shared_ptr<support::FakeBroker> broker;
    recovery::Policy policy;
    core::ConnectionId shop;
    bool isCalm = false;
    qint64 m_fence = 0;
    std::unique_ptr<FaultyStore> engineStore;
    std::unique_ptr<engine::EngineDependencies> dependencies;
    std::unique_ptr<engine::Engine> engine;
};

} // namespace

class TestPolicySeeds final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void policiesKeepTheirWord_data()
    {
        QTest::addColumn<quint64>("seed");
        const QStringList range = qEnvironmentVariable("REDRIVE_SEEDS", QStringLiteral("1-6")).split(QLatin1Char('-'));
        for (quint64 seed = range.first().toULongLong(); seed <= range.last().toULongLong(); ++seed)
            QTest::addRow("seed %llu", seed) << seed;
    }

    void policiesKeepTheirWord()
    {
        QFETCH(const quint64, seed);
        PolicyRun run(seed);
        run.live(3000);
        QVERIFY2(run.settle(), qPrintable(run.why));
        const QByteArray faults = run.faults().join(QStringLiteral("; ")).toUtf8();
        QVERIFY2(faults.isEmpty(), faults.constData());
        m_crashes += run.crashes;
        m_heldBack += run.heldBack;
    }

    void cleanupTestCase() { QVERIFY(m_crashes > 0 && m_heldBack > 0); }

private:
    int m_crashes = 0;
    int m_heldBack = 0;
};

REDRIVE_TEST(TestPolicySeeds)
#include "tst_policyseeds.moc"
