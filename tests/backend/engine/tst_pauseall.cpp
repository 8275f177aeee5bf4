// "Pause all" and "Resume all": what each may change, and what is known after a restart.
#include "backend/api/requests/retries.h"
#include "backend/engine/commands/pauseallservice.h"
#include "backend/retry/selectionfreezer.h"
#include "backend/store/retry/claimstore.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/must.h"
#include "tests/support/retrysteps.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using records::OperationState;
using records::PausedBy;
using support::EngineFixture;

namespace {

const QString ada = QStringLiteral("ada@desk");
const QString errorQueue = QStringLiteral("error");

// Consumers that fail the first `failures` messages.
void failAtConsumers(EngineFixture &fixture, int failures)
{
    fixture.broker->delivered = [&fixture, left = failures](const support::FakeBroker::Delivery &delivery) mutable {
        if (delivery.destination == errorQueue || left == 0)
            return;
        --left;
        records::Envelope failed = delivery.envelope;
        records::set(failed.headers, QStringLiteral("NServiceBus.FailedQ"), QCborValue(delivery.destination));
        records::set(failed.headers, QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"),
                     QCborValue(QStringLiteral("System.TimeoutException")));
        fixture.clock.after(core::Milliseconds{200}, [&fixture, failed] { fixture.broker->put(errorQueue, failed); });
    };
}

records::Plan guarded()
{
    records::Plan plan;
    plan.stopWhen = records::StopWhen{2, false};
    plan.perMinute = 60;
    return plan;
}

api::PauseAllAnswer pauseAll(EngineFixture &fixture)
{
    return test::must(fixture.carryOut(api::PauseAll{true}, ada));
}

api::PauseAllAnswer resumeAll(EngineFixture &fixture)
{
    return test::must(fixture.carryOut(api::PauseAll{false}, ada));
}

core::OperationId addOperation(EngineFixture &fixture, OperationState state)
{
    core::OperationId id;
    test::must(fixture.store->transact([&](store::Session &session) -> core::Result<> {
        records::RetryOperation operation;
        operation.connection = fixture.shop;
        operation.state = state;
        id = test::must(session.retryOperations().add(operation));
        return {};
    }));
    return id;
}

} // namespace

class TestPauseAll final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void resumeAllLeavesAStopRuleToAPerson()
    {
        EngineFixture fixture;
        fixture.fill(40);
        failAtConsumers(fixture, 2);
        fixture.start();
        const core::OperationId id = test::must(fixture.retryAll(records::OperationKind::Retry, guarded()));
        QVERIFY(fixture.runUntil([&] { return fixture.operation(id).state == OperationState::Paused; }));
        QVERIFY(fixture.operation(id).pausedBy == PausedBy::StopRule);
        const QString why = fixture.operation(id).stoppedBecause;
        QVERIFY(!why.isEmpty());

        QVERIFY(pauseAll(fixture).changed.isEmpty());
        fixture.restart();
        const api::PauseAllAnswer answer = resumeAll(fixture);
        QVERIFY(answer.changed.isEmpty());
        QCOMPARE(answer.held.size(), 1);
        QVERIFY(answer.held.first().operation == id);
        QVERIFY(answer.held.first().by == PausedBy::StopRule);
        QCOMPARE(answer.held.first().why, why);
        const records::RetryOperation stopped = fixture.operation(id);
        QVERIFY(stopped.state == OperationState::Paused);
        QCOMPARE(stopped.forgiven, 0);

        QVERIFY(fixture.carryOut(api::ChangeOperation{id, api::OperationAction::Resume}, ada));
        QVERIFY(fixture.operation(id).pausedBy == PausedBy::Nobody);
        QVERIFY(fixture.runToEnd(id));
    }

    // Messages come back while everything is paused: nobody has seen them when it is resumed.
    void whatComesBackWhileAllIsPausedStopsARetryToo()
    {
        EngineFixture fixture;
        fixture.fill(40);
        failAtConsumers(fixture, 2);
        fixture.start();
        const core::OperationId id = test::must(fixture.retryAll(records::OperationKind::Retry, guarded()));
        QVERIFY(fixture.runUntil([&] { return fixture.operation(id).counts.sent >= 2; }));
        QCOMPARE(pauseAll(fixture).changed.size(), 1);
        QVERIFY(fixture.operation(id).pausedBy == PausedBy::PauseAll);
        QVERIFY(fixture.runUntil([&] { return fixture.operation(id).counts.cameBack == 2; }));
        QVERIFY(fixture.operation(id).pausedBy == PausedBy::StopRule);
        QVERIFY(resumeAll(fixture).changed.isEmpty());
        QVERIFY(fixture.operation(id).state == OperationState::Paused);
    }

    void resumeAllLeavesWhatAPersonPaused()
    {
        EngineFixture fixture;
        fixture.fill(20);
        fixture.start();
        records::Plan few;
        few.limit = 10;
        few.perMinute = 60;
        const core::OperationId hers = test::must(fixture.retryAll(records::OperationKind::Retry, few));
        const core::OperationId other = test::must(fixture.retryAll(records::OperationKind::Retry, few));
        QVERIFY(fixture.carryOut(api::ChangeOperation{hers, api::OperationAction::Pause}, ada));
        QCOMPARE(pauseAll(fixture).changed, QList{other});
        fixture.restart();
        QCOMPARE(fixture.operation(hers).pausedWho, ada);
        const api::PauseAllAnswer answer = resumeAll(fixture);
        QCOMPARE(answer.changed, QList{other});
        QCOMPARE(answer.held.size(), 1);
        QVERIFY(answer.held.first().by == PausedBy::Person);
        QVERIFY(answer.held.first().why.contains(ada));
        QVERIFY(fixture.operation(hers).state == OperationState::Paused);
        QVERIFY(fixture.runToEnd(other));
    }

    void resumeAllNeedsTheRightToRetry()
    {
        EngineFixture fixture;
        fixture.connection.rights.setFlag(records::Right::Retry, false);
        fixture.fill(4);
        const core::OperationId id = addOperation(fixture, OperationState::Running);
        test::must(fixture.store->transact(
            [](store::Session &session) { return session.retryOperations().setAllPaused(true); }));
        fixture.start();
        QVERIFY(fixture.operation(id).pausedBy == PausedBy::PauseAll);
        const core::Result<api::PauseAllAnswer> refused = fixture.carryOut(api::PauseAll{false}, ada);
        QVERIFY(!refused);
        QVERIFY(refused.error().kind == ErrorKind::Refused);
        QVERIFY(fixture.operation(id).state == OperationState::Paused);
        QVERIFY(fixture.engine->pausing().isAllPaused());
    }

    // Paused in the transaction that freezes its set, so that nothing can start in between.
    void aSetThatIsFrozenWhileAllIsPausedIsPausedFromTheFirst()
    {
        EngineFixture fixture;
        fixture.fill(4);
        retry::FreezeOrder order;
        test::must(fixture.store->transact([&](store::Session &session) -> core::Result<> {
            order.asOfChange = test::must(session.changeNumber());
            return session.retryOperations().setAllPaused(true);
        }));
        core::Timers timers(fixture.clock);
        retry::SelectionFreezer freezer(*fixture.store, fixture.clock, timers);
        order.operation.connection = fixture.shop;
        order.filter.connection = fixture.shop;
        order.expected = 4;
        std::optional<core::Result<retry::FrozenSet>> frozen;
        const auto freeze = [&]() -> core::Task<> {
            core::Result<retry::FrozenSet> set = co_await freezer.freeze(order);
            frozen = std::move(set);
        };
        const core::Task<> freezing = freeze();
        QVERIFY(fixture.runUntil([&] { return frozen.has_value(); }));
        const records::RetryOperation born = fixture.operation(test::must(*frozen).operation);
        QVERIFY(born.state == OperationState::Paused);
        QVERIFY(born.pausedBy == PausedBy::PauseAll);
    }

    void aDoubtThatIsSentAgainWhileAllIsPausedWaits()
    {
        EngineFixture fixture;
        fixture.fill(4);
        core::OperationId id;
        test::must(fixture.store->transact([&](store::Session &session) -> core::Result<> {
            id = test::retryUnderWay(session, fixture.shop, {{1}});
            test::must(session.forwarding().finishForwarding(
                test::must(session.retryBatches().ofOperation(id)).constFirst().id,
                {{1, records::SendEnd::Unanswered, QStringLiteral("no answer")}}));
            test::complete(session, id);
            test::must(session.retryOperations().setAllPaused(true));
            test::must(session.claims().sendAgain(id, {1}, QStringLiteral("session")));
            return {};
        }));
        QVERIFY(!fixture.operation(id).finished);
        QVERIFY(fixture.operation(id).state == OperationState::Paused);
        QVERIFY(fixture.operation(id).pausedBy == PausedBy::PauseAll);
    }

    void whatIsConfirmedWhileAllIsPausedGoesWhenAllGoesOn()
    {
        EngineFixture fixture;
        fixture.fill(4);
        fixture.start();
        QVERIFY(pauseAll(fixture).changed.isEmpty());
        const core::OperationId id = test::must(fixture.retryAll());
        fixture.advance(std::chrono::minutes(5));
        QCOMPARE(fixture.operation(id).counts.pending, 4);
        QCOMPARE(resumeAll(fixture).changed, QList{id});
        QVERIFY(fixture.runToEnd(id));
        QCOMPARE(fixture.operation(id).counts.sent, 4);
    }
};

REDRIVE_TEST(TestPauseAll)
#include "tst_pauseall.moc"
