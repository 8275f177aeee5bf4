// A policy that waits at the broker (Azure Service Bus, "Clone & Schedule"), with the embedded broker on a simulated
// clock: a whole engine takes the dead letters of a consumer that always fails, and hands each copy to the broker with
// its time.
#include "backend/api/requests/policies.h"
#include "backend/records/rules/retrycount.h"
#include "backend/recovery/files/policyfile.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "tests/backend/sandbox/embeddedengine.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

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

struct Arrival
{
    core::TimePoint at;
    int count = 0; // what its retry count says
};

localbroker::QueueSettings ordersQueue(bool detectsDuplicates)
{
    localbroker::QueueSettings queue;
    queue.name = orders;
    queue.duplicateDetection = detectsDuplicates;
    return queue;
}

// The broker, its consumer, and a Redrive that comes and goes.
class Shop final
{
public:
    explicit Shop(bool detectsDuplicates = false)
        : m_redrive(ordersQueue(detectsDuplicates))
    {
        learn();
        order();
        m_redrive.atEachStep = [this] { consume(); };
    }

    // As on another machine, which has never seen a message. Redrive is stopped.
    void newStore()
    {
        m_redrive.newStore();
        learn();
    }
    void start() { m_redrive.start(); }
    void stop() { m_redrive.stop(); }

    // The next commit is lost with the process.
    void dieAtNextCommit()
    {
        m_redrive.front().decide = [](int) { return FaultyStore::Fault::DieBeforeCommit; };
    }
    [[nodiscard]] bool isDead() { return m_redrive.front().isDead(); }

    bool runUntil(const std::function<bool()> &isDone, core::Milliseconds limit)
    {
        return m_redrive.runUntil(isDone, limit);
    }
    void run(core::Milliseconds duration) { m_redrive.run(duration); }

    [[nodiscard]] store::HeldCounts counts() { return m_redrive.held(); }
    // The broker has the copy and holds it back.
    [[nodiscard]] bool isHandedOver()
    {
        QList<store::PolicyOperation> operations;
        must(m_redrive.store().read([&](store::Session &session) -> core::Result<> {
            TRY(operations, session.policies().unsettled());
            return {};
        }));
        return counts().atBroker == 1 && !operations.isEmpty() && operations.last().isAtRest;
    }
    [[nodiscard]] bool hasOpenIntent()
    {
        bool isOpen = false;
        must(m_redrive.store().read([&](store::Session &session) -> core::Result<> {
            TRY(const auto members, session.retryBatches().members(core::OperationId{1}, {}, 0, 10));
            isOpen = !members.isEmpty() && members.first().intent;
            return {};
        }));
        return isOpen;
    }

    QList<Arrival> arrivals;

private:
    // The store gets the policy, for what the consumer fails.
    void learn()
    {
        must(m_redrive.store().transact([this](store::Session &session) -> core::Result<> {
            const core::Result<recovery::Policy> policy = recovery::policyFrom(slowly);
            TRY(session.policies().save(*policy));
            recovery::Scope scope;
            scope.connection = m_redrive.shop();
            scope.queue = deadLetters;
            TRY(session.policies().assign({{}, policy->name, scope}));
            return session.intakes().setSubscribed(m_redrive.shop(), deadLetters, true);
        }));
    }

    void order()
    {
        broker::Outgoing order;
        order.destination = orders;
        order.envelope.body = "{\"order\": 1}";
        records::set(order.envelope.properties, QStringLiteral("MessageId"), QStringLiteral("order-1"));
        const QList<broker::SendOutcome> outcomes = m_redrive.outcomeOf(m_redrive.client().send({order}));
        if (outcomes.first().verdict != broker::Verdict::Accepted)
            qFatal("the broker does not take the order");
    }

    // Every second the consumer looks into its queue, and dead-letters what it finds.
    void consume()
    {
        const core::SteadyTime now = m_redrive.clock().steady();
        if (now < m_nextLook || m_isLooking)
            return;
        m_nextLook = now + std::chrono::seconds(1);
        m_isLooking = true;
        failAll();
    }

    core::Task<> failAll()
    {
        broker::TakeRequest request{orders, {}, 10, 0};
        const auto page = co_await m_redrive.client().take(std::move(request));
        const QList<broker::ReceivedMessage> messages = page ? page->messages : QList<broker::ReceivedMessage>();
        for (const broker::ReceivedMessage &message : messages) {
            arrivals.append({m_redrive.clock().now(), records::retryCountOf(message.envelope.headers)});
            const auto settled = co_await m_redrive.client().deadLetter(
                orders, message, QStringLiteral("System.TimeoutException"), QStringLiteral("The database is down."));
            must(settled);
        }
        m_isLooking = false;
    }

    core::SteadyTime m_nextLook{};
    bool m_isLooking = false;
    support::EmbeddedEngine m_redrive; // first to go: its last steps call consume()
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
