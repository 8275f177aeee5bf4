// Dead-letter queues that only their broker fills (Azure Service Bus): what is taken from there goes back only where the
// broker lets it, else to a queue that a person names; and that is said before.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/retryplan.h"
#include "backend/engine/policies/policyendings.h"
#include "backend/engine/policies/policyservice.h"
#include "backend/engine/snapshot/snapshotpublisher.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "tests/support/must.h"
#include "tests/support/policyfixture.h"
#include "tests/support/store/rawsql.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace support;
using core::ErrorKind;
using recovery::HeldState;

namespace {

const QString dead = QStringLiteral("live/$DeadLetterQueue");
const QString parking = QStringLiteral("parking");
const QByteArray backOnly = R"({"name": "standard", "immediate": 0, "delayed": 0, "exhausted": {"do": "dead-letter"}})";
const QByteArray backOrParking = R"({"name": "standard", "immediate": 0, "delayed": 0,
    "exhausted": {"do": "dead-letter", "queue": "parking"}})";

QByteArray endingWith(const char *what, const char *queue)
{
    return QByteArray(R"({"name": "standard", "immediate": 0, "delayed": 0, "exhausted": {"do": ")") + what
           + R"(", "queue": ")" + queue + "\"}}";
}

// Messages that were taken from a dead-letter queue.
struct Shop
{
    explicit Shop(bool reachesDeadLetters, int messages = 4)
        : reaches(reachesDeadLetters)
    {
        fixture.broker->can().reachesDeadLetters = reaches;
        fixture.broker->addQueue(dead);
        fixture.broker->addQueue(parking);
        fixture.broker->delivered = [this](const FakeBroker::Delivery &one) { went.append(one.destination); };
        fixture.connection.kind = records::BrokerKind::ServiceBus;
        fixture.connection.errorQueues = {dead};
        fixture.connection.rights.setFlag(records::Right::Redirect);
        fixture.takenFrom = dead;
        fixture.fill(messages);
        fixture.start();
    }
    ~Shop() { fixture.broker->delivered = {}; }
    Shop(const Shop &) = delete;
    Shop &operator=(const Shop &) = delete;

    core::Result<QString> set(const QByteArray &file) { return fixture.carryOut(api::SetPolicy{file}); }
    core::Result<core::AssignmentId> assign()
    {
        recovery::Scope scope;
        scope.connection = fixture.shop;
        scope.queue = dead;
        return fixture.carryOut(api::AssignPolicy{QStringLiteral("standard"), scope, true});
    }
    core::Result<api::PlanPreview> preview(const QList<records::Redirect> &redirects = {})
    {
        api::RetryDraft draft;
        draft.kind = records::OperationKind::Release;
        draft.filter.connection = fixture.shop;
        draft.plan.redirects = redirects;
        return fixture.carryOut(api::PreviewRetry{draft});
    }

    EngineFixture fixture;
    bool reaches;
    QStringList went;
};

records::Redirect toParking()
{
    return {records::Redirect::Of::Queue, dead.toUpper(), parking}; // the service ignores the case of names
}

} // namespace

class TestDeadLetters final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aBrokerThatReachesThemGetsThemBack()
    {
        Shop shop(true);
        QVERIFY(shop.set(backOnly).has_value());
        QVERIFY(shop.assign().has_value());
        QVERIFY(shop.fixture.runUntil([&] { return shop.went.count(dead) == 4; }));
        QVERIFY(shop.fixture.runUntil([&] { return heldStates(shop.fixture).value(HeldState::Exhausted) == 4; }));
        QVERIFY(shop.fixture.message(core::MessageId{1}).status == records::MessageStatus::Released);
        QCOMPARE(shop.went.size(), 4);
    }

    void aPolicyWithoutAWayIsRefused()
    {
        Shop shop(false);
        const core::Result<QString> refused = shop.set(backOnly);
        QVERIFY(!refused);
        QVERIFY(refused.error().kind == ErrorKind::Refused);
        QVERIFY(refused.error().message.startsWith(QStringLiteral("exhausted.queue: "))); // shown at its field
        QVERIFY(refused.error().message.contains(QStringLiteral("\"queue\": \"parking\"")));
        QVERIFY(shop.set(backOrParking).has_value());
        QVERIFY(shop.assign().has_value());
        QVERIFY(!shop.set(backOnly)); // it is for that queue now
    }

    void aQueueThatTakesNothingIsRefused_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::newRow("dead letters") << endingWith("dead-letter", "other/$DeadLetterQueue");
        QTest::newRow("a subscription") << endingWith("dead-letter", "bills/Subscriptions/one");
        QTest::newRow("its own") << endingWith("dead-letter", "live/$deadletterqueue");
        QTest::newRow("moved to dead letters") << endingWith("move", "other/$DeadLetterQueue");
    }
    void aQueueThatTakesNothingIsRefused()
    {
        QFETCH(const QByteArray, file);
        Shop shop(false);
        const core::Result<QString> refused = shop.set(file);
        QVERIFY(!refused);
        QVERIFY(refused.error().kind == ErrorKind::Refused || refused.error().kind == ErrorKind::Rejected);
        QVERIFY(refused.error().message.startsWith(QStringLiteral("exhausted.queue: ")));
    }

    // It was saved where the broker takes its dead letters back and no other queue is needed.
    void aQueueThatTakesNothingIsRefusedWhenThePolicyIsAssigned()
    {
        Shop shop(true);
        QVERIFY(shop.set(endingWith("dead-letter", "other/$DeadLetterQueue")).has_value());
        shop.fixture.stop();
        shop.fixture.broker->can().reachesDeadLetters = false;
        shop.fixture.start();
        const core::Result<core::AssignmentId> refused = shop.assign();
        QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
        QVERIFY(refused.error().message.startsWith(QStringLiteral("exhausted.queue: ")));
    }

    void aMessageThatCannotBeReadStopsNoOther()
    {
        Shop shop(false, 2);
        engine::PlanBasis basis;
        basis.connection = shop.fixture.connection;
        basis.connection.id = shop.fixture.shop;
        basis.known = true;
        const core::MessageId first{1};
        const core::MessageId gone{99};
        const core::Result<engine::WaysBack> ways = engine::waysBack(*shop.fixture.store, basis, {first, gone});
        QVERIFY(ways.has_value());
        QVERIFY(ways->closed == QList<core::MessageId>{first});
        QVERIFY(ways->open == QList<core::MessageId>{gone});
    }

    // Where nothing was taken from a closed queue, no message is read for it.
    void openQueuesCostNoRead()
    {
        EngineFixture fixture;
        fixture.connection.kind = records::BrokerKind::ServiceBus;
        engine::PlanBasis basis;
        basis.connection = fixture.connection;
        basis.connection.id = fixture.fill(2);
        basis.known = true;
        const QList<core::MessageId> ids{core::MessageId{1}, core::MessageId{2}};
        test::executeRaw(fixture.dependencies.storePath,
                         {QStringLiteral("ALTER TABLE failed_message RENAME TO unreadable")});
        const core::Result<engine::WaysBack> ways = engine::waysBack(*fixture.store, basis, ids);
        QVERIFY2(ways.has_value(), test::why(ways).constData());
        QVERIFY(ways->open == ids && ways->closed.isEmpty());
    }

    // As a command does without a running engine.
    void aBrokerThatHasNotAnsweredYetIsAskedFirst()
    {
        Shop shop(false, 0);
        shop.fixture.stop();
        shop.fixture.engine = std::make_unique<engine::Engine>(shop.fixture.dependencies);
        shop.fixture.engine->start();
        const core::Result<QString> refused = shop.set(backOnly);
        QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
        QVERIFY(shop.set(backOrParking).has_value());
    }

    void whatCannotGoBackGoesToTheQueueOfThePolicy()
    {
        Shop shop(false);
        QVERIFY(shop.set(backOrParking).has_value());
        QVERIFY(shop.assign().has_value());
        QVERIFY(shop.fixture.runUntil([&] { return shop.went.count(parking) == 4; }));
        QVERIFY(shop.fixture.runUntil([&] { return heldStates(shop.fixture).value(HeldState::Exhausted) == 4; }));
        QVERIFY(shop.fixture.message(core::MessageId{1}).status == records::MessageStatus::Released);
        shop.fixture.advance(std::chrono::hours(1));
        QCOMPARE(shop.went.size(), 4);
    }

    void withoutTheRightToRedirectItIsRefused()
    {
        Shop shop(false);
        shop.fixture.stop();
        const core::Result<> done = shop.fixture.store->transact([&](store::Session &session) -> core::Result<> {
            records::Connection connection = shop.fixture.connection;
            connection.id = shop.fixture.shop;
            connection.rights.setFlag(records::Right::Redirect, false);
            return session.connections().update(connection);
        });
        QVERIFY(done.has_value());
        shop.fixture.start();
        QVERIFY(shop.set(backOrParking).has_value());
        const core::Result<core::AssignmentId> refused = shop.assign();
        QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
    }

    // The policy was saved when the broker could do it, or did not answer.
    void withoutAWayThePersonDecides()
    {
        Shop shop(true, 0);
        QVERIFY(shop.set(backOnly).has_value());
        QVERIFY(shop.assign().has_value());
        shop.fixture.stop();
        shop.fixture.broker->can().reachesDeadLetters = false;
        records::Envelope fresh;
        fresh.body = "{}";
        shop.fixture.broker->put(dead, fresh);
        shop.fixture.start();
        api::TakeMessages take;
        take.connection = shop.fixture.shop;
        take.queue = dead;
        QVERIFY(shop.fixture.carryOut(take).has_value());
        QVERIFY(shop.fixture.runUntil([&] { return heldStates(shop.fixture).value(HeldState::NotMoved) == 1; }));
        QVERIFY(heldMessage(shop.fixture, core::MessageId{1}).reason.contains(QStringLiteral("parking")));
        QCOMPARE(shop.went, QStringList());
    }

    void aReleaseOffersAnotherQueue()
    {
        Shop shop(false);
        const core::Result<api::PlanPreview> closed = shop.preview();
        QVERIFY(closed.has_value());
        QCOMPARE(closed->frozenCount, 0);
        QVERIFY2(closed->refusal.contains(dead) && closed->refusal.contains(QStringLiteral("another queue")),
                 qPrintable(closed->refusal));
        QCOMPARE(closed->missingDestinations.size(), 1);
        QVERIFY(closed->targets.contains(parking));
        QVERIFY(!closed->targets.contains(dead));

        const core::Result<api::PlanPreview> open = shop.preview({toParking()});
        QVERIFY(open.has_value());
        QCOMPARE(open->refusal, QString());
        QCOMPARE(open->frozenCount, 4);
        QCOMPARE(open->redirected, 4);
        QCOMPARE(open->destinations.value(0).destination.queue, parking);
        QCOMPARE(open->destinations.value(0).origin(), dead);

        records::Plan plan;
        plan.redirects = {toParking()};
        const core::Result<core::OperationId> id = shop.fixture.retryAll(records::OperationKind::Release, plan);
        QVERIFY(id.has_value());
        QVERIFY(shop.fixture.runToEnd(*id));
        QCOMPARE(shop.went.count(parking), 4);
        QVERIFY(shop.fixture.message(core::MessageId{1}).status == records::MessageStatus::Released);
    }

    // A key without the Manage right sees at most the queues that the connection names.
    void aReleaseOffersAnotherQueueWhereNoneIsListed_data()
    {
        QTest::addColumn<QStringList>("named");
        QTest::newRow("the one it came from") << QStringList{dead};
        QTest::newRow("none") << QStringList();
    }
    void aReleaseOffersAnotherQueueWhereNoneIsListed()
    {
        QFETCH(const QStringList, named);
        Shop shop(false);
        shop.fixture.stop();
        shop.fixture.broker->onlyNamed = named;
        shop.fixture.start();
        const core::Result<api::PlanPreview> closed = shop.preview();
        QVERIFY(closed.has_value());
        QCOMPARE(closed->frozenCount, 0);
        QVERIFY2(closed->refusal.contains(dead) && closed->refusal.contains(QStringLiteral("another queue")),
                 qPrintable(closed->refusal));
        QCOMPARE(closed->missingDestinations.size(), 1);
        QCOMPARE(closed->missingDestinations.first().exists, std::optional(true));
        QVERIFY(!closed->targetsNotKnown.isEmpty());
        QVERIFY(!shop.preview({{records::Redirect::Of::Queue, dead, QStringLiteral("other/$DeadLetterQueue")}})
                     ->refusal.isEmpty());

        records::Plan plan;
        plan.redirects = {toParking()};
        const core::Result<core::OperationId> id = shop.fixture.retryAll(records::OperationKind::Release, plan);
        QVERIFY(id.has_value());
        QVERIFY(shop.fixture.runToEnd(*id));
        QCOMPARE(shop.went, QStringList(4, parking));
    }

    // Only a release goes there: nobody retries into a dead-letter queue.
    void aReleaseGoesBackWhereItIsReached()
    {
        Shop shop(true);
        const core::Result<api::PlanPreview> preview = shop.preview();
        QVERIFY(preview.has_value());
        QCOMPARE(preview->frozenCount, 4);
        QCOMPARE(preview->destinations.value(0).destination.queue, dead);
        QVERIFY(preview->targets.isEmpty()); // there is nothing to choose
        records::Plan plan;
        plan.redirects = {{records::Redirect::Of::Everything, {}, dead}};
        QVERIFY(!shop.fixture.retryAll(records::OperationKind::Retry, plan));
    }

    void thePlanOfATakeSaysIt_data()
    {
        QTest::addColumn<bool>("reaches");
        QTest::newRow("the service") << false;
        QTest::newRow("the embedded broker") << true;
    }
    void thePlanOfATakeSaysIt()
    {
        QFETCH(bool, reaches);
        Shop shop(reaches);
        api::SnapshotPtr last;
        static_cast<void>(
            shop.fixture.engine->publisher().subscribe([&last](const api::SnapshotPtr &next) { last = next; }));
        QVERIFY(shop.fixture.carryOut(api::RefreshQueues{}).has_value());
        QVERIFY(shop.fixture.runUntil([&] { return last != nullptr && !last->queues.isEmpty(); }));
        for (const api::QueueView &queue : last->queues)
            QCOMPARE(queue.noWayBack.isEmpty(), reaches || queue.name != dead);
    }
};

REDRIVE_TEST(TestDeadLetters)
#include "tst_deadletters.moc"
