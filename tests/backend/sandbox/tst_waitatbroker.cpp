// A policy that waits at the broker (Azure Service Bus, "Clone & Schedule"), with the embedded broker on a simulated
// clock: a whole engine takes the dead letters of a consumer that always fails, and hands each copy to the broker with
// its time.
#include "backend/api/requests/policies.h"
#include "backend/broker/servicebus/servicebus.h"
#include "backend/engine/connection/localsecrets.h"
#include "backend/engine/engine.h"
#include "backend/records/rules/retrycount.h"
#include "backend/recovery/files/policyfile.h"
#include "backend/sandbox/simulation.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/must.h"
#include "tests/support/store/faultystore.h"
#include "tests/support/testmain/testmain.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>

using std::chrono::minutes;
using support::FaultyStore;
using test::must;

namespace {

const QString orders = QStringLiteral("orders");
const QString deadLetters = QStringLiteral("orders/$DeadLetterQueue");

// 4 attempts: the first one, then after 10, 20 and 30 minutes.
const QByteArray slowly = R"({"name": "slowly", "immediate": 0, "delayed": 3, "jitter": "none", "wait_at": "broker",
    "schedule": {"kind": "linear", "first": "10m"}, "stop_when": "never"})";

// A connection to the broker of the simulation.
struct Connected
{
    explicit Connected(sandbox::Simulation &in)
        : client(in.newClient())
        , broker(*client, in.clock(), account())
    {
    }
    static broker::ServiceBusAccount account()
    {
        broker::ServiceBusAccount account;
        account.base = QUrl(QStringLiteral("http://127.0.0.1/"));
        return account;
    }
    std::unique_ptr<http::HttpClient> client;
    broker::ServiceBus broker;
};

struct Arrival
{
    core::TimePoint at;
    int count = 0; // what its retry count says
};

// The broker, its consumer, and a Redrive that comes and goes.
class Shop final
{
public:
    explicit Shop(bool detectsDuplicates = false)
        : m_simulation(core::fromMs(1767323045000), 7)
    {
        localbroker::QueueSettings queue;
        queue.name = orders;
        queue.duplicateDetection = detectsDuplicates;
        must(m_simulation.open({}, {queue}));
        m_consumer = std::make_unique<Connected>(m_simulation);
        newStore();
        bool isOrdered = false;
        order(isOrdered);
        if (!m_simulation.runUntil([&isOrdered] { return isOrdered; }, minutes(1)))
            qFatal("the broker does not take the order");
    }
    ~Shop()
    {
        if (m_engine)
            stop();
    }
    Shop(const Shop &) = delete;
    Shop &operator=(const Shop &) = delete;

    // As on another machine, which has never seen a message. Redrive is stopped.
    void newStore()
    {
        const QString path = m_folder.filePath(QStringLiteral("store %1").arg(++m_stores));
        m_store = std::move(store::openSqliteStore(path).value());
        must(m_store->transact([](store::Session &session) -> core::Result<> {
            records::Connection connection;
            connection.name = QStringLiteral("shop");
            connection.kind = records::BrokerKind::ServiceBus;
            connection.url = QUrl(QStringLiteral("http://127.0.0.1/"));
            connection.environment = records::Environment::Test;
            TRY(const core::ConnectionId shop, session.connections().add(connection));
            const core::Result<recovery::Policy> policy = recovery::policyFrom(slowly);
            TRY(session.policies().save(*policy));
            recovery::Scope scope;
            scope.connection = shop;
            scope.queue = deadLetters;
            TRY(session.policies().assign({{}, policy->name, scope}));
            return session.intakes().setSubscribed(shop, deadLetters, true);
        }));
    }

    void start()
    {
        m_front = std::make_unique<FaultyStore>(*m_store, ++m_fence);
        m_dependencies = std::make_unique<engine::EngineDependencies>(
            engine::EngineDependencies{*m_front,
                                       m_simulation.clock(),
                                       m_simulation.random(),
                                       m_secrets,
                                       [this](const records::Connection &, const QString &) {
                                           const auto all = std::make_shared<Connected>(m_simulation);
                                           return std::shared_ptr<broker::Broker>(all, &all->broker);
                                       },
                                       {},
                                       {},
                                       QStringLiteral("session %1").arg(m_fence)});
        m_engine = std::make_unique<engine::Engine>(*m_dependencies);
        m_engine->start();
    }

    void stop()
    {
        bool stopped = false;
        const auto end = [](engine::Engine &what, bool &done) -> core::Task<> {
            co_await what.stop();
            done = true;
        };
        end(*m_engine, stopped);
        if (!runUntil([&stopped] { return stopped; }, minutes(10)))
            qFatal("the engine did not stop");
        m_engine.reset();
    }

    // The next commit is lost with the process.
    void dieAtNextCommit()
    {
        m_front->decide = [](int) { return FaultyStore::Fault::DieBeforeCommit; };
    }
    [[nodiscard]] bool isDead() const { return m_front->isDead(); }

    bool runUntil(const std::function<bool()> &isDone, core::Milliseconds limit)
    {
        const core::SteadyTime end = clock().steady() + limit;
        while (!isDone()) {
            QCoreApplication::sendPostedEvents();
            consume();
            if (clock().steady() >= end)
                return false;
            if (!clock().step())
                clock().advance(std::chrono::seconds(1)); // nothing else waits
        }
        return true;
    }
    void run(core::Milliseconds duration)
    {
        static_cast<void>(runUntil([] { return false; }, duration));
    }

    [[nodiscard]] store::HeldCounts counts()
    {
        store::HeldCounts counts;
        must(m_store->read([&](store::Session &session) -> core::Result<> {
            TRY(counts, session.heldMessages().counts(core::AssignmentId{1}, clock().now()));
            return {};
        }));
        return counts;
    }
    // The broker has the copy and holds it back.
    [[nodiscard]] bool isHandedOver()
    {
        QList<store::PolicyOperation> operations;
        must(m_store->read([&](store::Session &session) -> core::Result<> {
            TRY(operations, session.policies().unsettled());
            return {};
        }));
        return counts().atBroker == 1 && !operations.isEmpty() && operations.last().isAtRest;
    }
    [[nodiscard]] bool hasOpenIntent()
    {
        bool isOpen = false;
        must(m_store->read([&](store::Session &session) -> core::Result<> {
            TRY(const auto members, session.retryBatches().members(core::OperationId{1}, {}, 0, 10));
            isOpen = !members.isEmpty() && members.first().intent;
            return {};
        }));
        return isOpen;
    }
    [[nodiscard]] core::SimulatedClock &clock() { return m_simulation.clock(); }

    QList<Arrival> arrivals;

private:
    core::Task<> order(bool &isOrdered)
    {
        broker::Outgoing order;
        order.destination = orders;
        order.envelope.body = "{\"order\": 1}";
        records::set(order.envelope.properties, QStringLiteral("MessageId"), QStringLiteral("order-1"));
        static_cast<void>(co_await m_consumer->broker.probe());
        QList<broker::Outgoing> all{order};
        const QList<broker::SendOutcome> outcomes = co_await m_consumer->broker.send(std::move(all));
        isOrdered = outcomes.first().verdict == broker::Verdict::Accepted;
    }

    // Every second the consumer looks into its queue, and dead-letters what it finds.
    void consume()
    {
        if (clock().steady() < m_nextLook || m_isLooking)
            return;
        m_nextLook = clock().steady() + std::chrono::seconds(1);
        m_isLooking = true;
        failAll();
    }

    core::Task<> failAll()
    {
        broker::TakeRequest request{orders, {}, 10, 0};
        const auto page = co_await m_consumer->broker.take(std::move(request));
        const QList<broker::ReceivedMessage> messages = page ? page->messages : QList<broker::ReceivedMessage>();
        for (const broker::ReceivedMessage &message : messages) {
            arrivals.append({clock().now(), records::retryCountOf(message.envelope.headers)});
            const auto settled = co_await m_consumer->broker.deadLetter(
                orders, message, QStringLiteral("System.TimeoutException"), QStringLiteral("The database is down."));
            must(settled);
        }
        m_isLooking = false;
    }

    QTemporaryDir m_folder;
    sandbox::Simulation m_simulation;
    std::unique_ptr<Connected> m_consumer;
    engine::LocalSecrets m_secrets;
    std::unique_ptr<store::Store> m_store;
    std::unique_ptr<FaultyStore> m_front;
    std::unique_ptr<engine::EngineDependencies> m_dependencies;
    std::unique_ptr<engine::Engine> m_engine;
    core::SteadyTime m_nextLook{};
    bool m_isLooking = false;
    int m_stores = 0;
    qint64 m_fence = 0;
};

QList<int> countsOf(const QList<Arrival> &arrivals)
{
    QList<int> counts;
    for (const Arrival &arrival : arrivals)
        counts.append(arrival.count);
    return counts;
}

} // namespace

class TestWaitAtBroker final : public QObject
{
    Q_OBJECT

private:
    // After the first attempt and three retries the policy gives up, and nothing comes any more.
    static void endsAtItsLimit(Shop &shop)
    {
        QCOMPARE(countsOf(shop.arrivals), (QList<int>{0, 1, 2, 3}));
        shop.start();
        QVERIFY(shop.runUntil([&] { return shop.counts().byState.value(recovery::HeldState::Exhausted) == 1; },
                              minutes(5)));
        shop.run(std::chrono::hours(3));
        QCOMPARE(shop.arrivals.size(), 4);
    }

private Q_SLOTS:
    // Redrive only runs to take a failure and to hand the next copy over; every delay passes without it.
    void theDelayHoldsWhileRedriveIsStopped()
    {
        Shop shop;
        for (int attempt = 1; attempt < 4; ++attempt) {
            shop.start();
            QVERIFY(shop.runUntil([&] { return shop.isHandedOver(); }, minutes(5)));
            QCOMPARE(shop.arrivals.size(), attempt);
            const core::TimePoint due = *shop.counts().nextAtBroker;
            QVERIFY(due - shop.arrivals.last().at >= minutes(10 * attempt));
            shop.stop();
            QVERIFY(shop.runUntil([&] { return shop.arrivals.size() > attempt; }, minutes(10 * attempt + 1)));
            QVERIFY(shop.arrivals.last().at >= due);
        }
        endsAtItsLimit(shop);
    }

    // The counter travels in the message: a store that knows nothing of it goes on counting, and the loop ends.
    void theLoopEndsAlsoWhenEveryStoreIsNew()
    {
        Shop shop;
        for (int attempt = 1; attempt < 4; ++attempt) {
            shop.start();
            QVERIFY(shop.runUntil([&] { return shop.isHandedOver(); }, minutes(5)));
            shop.stop();
            shop.newStore();
            QVERIFY(shop.runUntil([&] { return shop.arrivals.size() > attempt; }, minutes(61)));
        }
        endsAtItsLimit(shop);
    }

    // The program dies around the send, and the next start sends again: the time is that of the decision, and the broker
    // drops the second copy, because its id is the same.
    void aCrashAtTheSendDeliversOnceAndAtItsTime()
    {
        for (const bool isBeingSent : {false, true}) {
            Shop shop(true);
            shop.start();
            QVERIFY(shop.runUntil([&] { return shop.counts().atBroker == 1; }, minutes(5))); // the set is frozen
            const core::TimePoint due = *shop.counts().nextAtBroker;
            QVERIFY(!isBeingSent || shop.runUntil([&] { return shop.hasOpenIntent(); }, minutes(1)));
            shop.dieAtNextCommit();
            QVERIFY(shop.runUntil([&] { return shop.isDead(); }, minutes(5)));
            QCOMPARE(shop.hasOpenIntent(), isBeingSent);
            shop.stop();
            shop.run(minutes(1));
            shop.start();
            QVERIFY(shop.runUntil([&] { return shop.arrivals.size() == 2; }, minutes(15)));
            QVERIFY(shop.arrivals.last().at >= due && shop.arrivals.last().at < due + std::chrono::seconds(5));
            shop.run(minutes(5));
            QCOMPARE(shop.arrivals.size(), 2);
        }
    }
};

REDRIVE_TEST(TestWaitAtBroker)
#include "tst_waitatbroker.moc"
