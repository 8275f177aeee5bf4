// What a policy has given up goes where the policy says, or somebody is told why not: it is never dropped silently.
#include "backend/api/requests/operations.h"
#include "backend/api/requests/policyview.h"
#include "backend/api/requests/retries.h"
#include "backend/engine/policies/policyservice.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/query/queries.h"
#include "backend/store/retry/retryoperationstore.h"
#include "tests/support/policyfixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace support;
using recovery::HeldState;

namespace {

const QString parking = QStringLiteral("parking");
const QByteArray movesAtOnce = R"({"name": "standard", "immediate": 0, "delayed": 0,
    "exhausted": {"do": "move", "queue": "parking"}})";

core::Result<core::AssignmentId> beginMoving(EngineFixture &fixture, int messages)
{
    fixture.connection.rights.setFlag(records::Right::Redirect);
    return beginPolicy(fixture, messages, movesAtOnce);
}

api::AssignmentView viewOf(EngineFixture &fixture)
{
    const auto views = fixture.ask<QList<api::PolicyView>>(
        [&](store::Session &session) { return fixture.engine->policies().views(session, -1); });
    return views.value(0).assignments.value(0);
}

} // namespace

class TestPolicyEndings final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatTheBrokerRefusesIsShownWithTheReason()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        consumers.fails = [](const records::Envelope &) { return false; };
        fixture.broker->addQueue(parking);
        fixture.connection.rights.setFlag(records::Right::Redirect);
        fixture.fill(4);
        fixture.broker->poison.insert(fixture.message(core::MessageId{2}).uniqueId);
        fixture.start();
        setPolicy(fixture, movesAtOnce);
        QVERIFY(assignPolicy(fixture).has_value());
        QVERIFY(fixture.runUntil([&] { return heldStates(fixture).value(HeldState::NotMoved) == 1; }));
        QCOMPARE(consumers.destinations.count(parking), 3);
        QVERIFY(!heldMessage(fixture, core::MessageId{2}).reason.isEmpty());
        QVERIFY(!heldMessage(fixture, core::MessageId{2}).hasLeft);
        QVERIFY(hasEvent(fixture, QStringLiteral("Policy could not move")));
        fixture.advance(std::chrono::minutes(1));
        const api::AssignmentView view = viewOf(fixture);
        QCOMPARE(view.notMoved, 1);
        QCOMPARE(view.exhausted, 4);
        QCOMPARE(view.notMovedWhy, heldMessage(fixture, core::MessageId{2}).reason);

        // Saving the policy again decides again about what it gave up.
        fixture.broker->poison.clear();
        setPolicy(fixture, movesAtOnce);
        QVERIFY(fixture.runUntil([&] { return consumers.destinations.count(parking) == 4; }));
        QCOMPARE(consumers.most(), 1);
    }

    // The snapshot would be full of such retries. The list has them for a day.
    void aRetryWhoseOutcomeIsKnownStaysInTheList()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        consumers.fails = [](const records::Envelope &) { return false; };
        QVERIFY(beginPolicy(fixture, 2, R"({"name": "standard", "immediate": 1, "delayed": 0})").has_value());
        const auto isSettled = [&] {
            return fixture
                .ask<QList<store::PolicyOperation>>(
                    [](store::Session &session) { return session.policies().unsettled(); })
                .isEmpty();
        };
        QVERIFY(fixture.runUntil([&] { return consumers.total() == 2 && isSettled(); }));
        const QList<records::RetryOperation> all = allOperations(fixture);
        QVERIFY(!all.isEmpty());
        QVERIFY(fixture
                    .ask<QList<records::RetryOperation>>(
                        [](store::Session &session) { return session.retryOperations().listed({}, 10); })
                    .isEmpty());
        const auto queries = store::Queries::open(fixture.dependencies.storePath, [&] { return fixture.clock.now(); });
        api::OperationQuery current;
        current.dismissed = false;
        QCOMPARE((*queries)->ask(current).value().rows.size(), all.size());
    }

    void whatAPersonCancelsIsMovedAfterTheResume()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        consumers.fails = [](const records::Envelope &) { return false; };
        fixture.broker->addQueue(parking);
        fixture.broker->full.insert(parking);
        QVERIFY(beginMoving(fixture, 4).has_value());
        QVERIFY(fixture.runUntil([&] { return allOperations(fixture).size() == 1; }));
        QVERIFY(fixture.carryOut(api::ChangeOperation{core::OperationId{1}, api::OperationAction::Cancel}).has_value());
        QVERIFY(fixture.runUntil([&] { return hasEvent(fixture, QStringLiteral("Policy paused")); }));
        QVERIFY(fixture.runUntil([&] { return heldStates(fixture).value(HeldState::Leaving) == 4; }));
        fixture.broker->full.clear();
        fixture.advance(std::chrono::minutes(10));
        QCOMPARE(consumers.total(), 0);
        QVERIFY(fixture.carryOut(api::PausePolicy{QStringLiteral("standard"), false}).has_value());
        QVERIFY(fixture.runUntil([&] { return consumers.destinations.count(parking) == 4; }));
        fixture.advance(std::chrono::hours(1));
        QCOMPARE(consumers.total(), 4);
        QCOMPARE(heldStates(fixture).value(HeldState::Exhausted), 4);
    }

    void anErrorQueueIsRefused()
    {
        EngineFixture fixture;
        fixture.fill(1);
        fixture.start();
        const core::Result<QString> refused =
            fixture.carryOut(api::SetPolicy{R"({"name": "standard", "exhausted": {"do": "move", "queue": "error"}})"});
        QVERIFY(!refused && refused.error().kind == core::ErrorKind::Rejected);
        QVERIFY(refused.error().message.startsWith(QStringLiteral("exhausted.queue: ")));
    }

    // A copy with it would be refused at each retry.
    void aCounterThatTheBrokerCannotCarryIsRefused()
    {
        EngineFixture fixture;
        fixture.connection.kind = records::BrokerKind::Sqs;
        fixture.fill(1);
        fixture.start();
        setPolicy(fixture, R"({"name": "standard", "counter": "X:Count"})");
        const core::Result<core::AssignmentId> refused = assignPolicy(fixture);
        QVERIFY(!refused && refused.error().kind == core::ErrorKind::Refused);
        QVERIFY2(refused.error().message.contains(QStringLiteral("X:Count")), qPrintable(refused.error().message));
        setPolicy(fixture, R"({"name": "standard", "counter": "X-Count"})");
        QVERIFY(assignPolicy(fixture).has_value());
        QVERIFY(setPolicy(fixture, R"({"name": "standard", "counter": "X:Count"})").startsWith(u"counter: "));
    }

    void aMissingQueueIsWaitedFor()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        consumers.fails = [](const records::Envelope &) { return false; };
        QVERIFY(beginMoving(fixture, 4).has_value());
        fixture.advance(std::chrono::minutes(5));
        QCOMPARE(heldStates(fixture).value(HeldState::Leaving), 4);
        QVERIFY(viewOf(fixture).waits.contains(parking));
        fixture.broker->addQueue(parking);
        fixture.advance(std::chrono::minutes(5));
        QCOMPARE(consumers.destinations.count(parking), 4);
        QVERIFY(viewOf(fixture).waits.isEmpty());
    }
};

REDRIVE_TEST(TestPolicyEndings)
#include "tst_policyendings.moc"
