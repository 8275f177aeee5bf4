// "Pause all" and "Resume all": what each may touch, and what is known of that after a restart.
#include "backend/retry/freezer.h"
#include "backend/store/retrystore.h"
#include "tests/support/engineroom.h"
#include "tests/support/must.h"
#include "tests/support/retrysteps.h"

#include <QTest>

using core::ErrorKind;
using records::OperationState;
using records::PausedBy;
using support::EngineRoom;

namespace {

const QString ada = QStringLiteral("ada@desk");
const QString errorQueue = QStringLiteral("error");

// Consumers that fail the first `failures` messages that they get.
void failAtConsumers(EngineRoom &room, int failures)
{
    room.broker->delivered = [&room, left = failures](const support::FakeBroker::Delivery &delivery) mutable {
        if (delivery.destination == errorQueue || left == 0)
            return;
        --left;
        records::Envelope failed = delivery.envelope;
        records::set(failed.headers, QStringLiteral("NServiceBus.FailedQ"), QCborValue(delivery.destination));
        records::set(failed.headers, QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"),
                     QCborValue(QStringLiteral("System.TimeoutException")));
        room.clock.after(core::Milliseconds{200}, [&room, failed] { room.broker->put(errorQueue, failed); });
    };
}

records::Plan guarded()
{
    records::Plan plan;
    plan.stopWhen = records::StopWhen{2, false};
    plan.perMinute = 60;
    return plan;
}

api::PauseAllAnswer pauseAll(EngineRoom &room)
{
    return test::must(room.engine->retries().pauseAll(true, ada));
}

api::PauseAllAnswer resumeAll(EngineRoom &room)
{
    return test::must(room.engine->retries().pauseAll(false, ada));
}

core::OperationId addOperation(EngineRoom &room, OperationState state)
{
    core::OperationId id;
    test::must(room.store->transact([&](store::Session &session) -> core::Result<> {
        records::RetryOperation operation;
        operation.connection = room.shop;
        operation.state = state;
        id = test::must(session.retries().addOperation(operation));
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
        EngineRoom room;
        room.fill(40);
        failAtConsumers(room, 2);
        room.start();
        const core::OperationId id = test::must(room.retryAll(records::OperationKind::Retry, guarded()));
        QVERIFY(room.runUntil([&] { return room.operation(id).state == OperationState::Paused; }));
        QVERIFY(room.operation(id).pausedBy == PausedBy::StopRule);
        const QString why = room.operation(id).stoppedBecause;
        QVERIFY(!why.isEmpty());

        QVERIFY(pauseAll(room).changed.isEmpty());
        room.restart();
        const api::PauseAllAnswer answer = resumeAll(room);
        QVERIFY(answer.changed.isEmpty());
        QCOMPARE(answer.held.size(), 1);
        QVERIFY(answer.held.first().operation == id);
        QVERIFY(answer.held.first().by == PausedBy::StopRule);
        QCOMPARE(answer.held.first().why, why);
        const records::RetryOperation stopped = room.operation(id);
        QVERIFY(stopped.state == OperationState::Paused);
        QCOMPARE(stopped.forgiven, 0);

        QVERIFY(room.engine->retries().act(id, api::OperationAction::Resume, ada));
        QVERIFY(room.operation(id).pausedBy == PausedBy::Nobody);
        QVERIFY(room.runToEnd(id));
    }

    // What comes back is on its way while everything rests: nobody has seen it when all of it goes on.
    void whatComesBackWhileAllIsPausedStopsARetryToo()
    {
        EngineRoom room;
        room.fill(40);
        failAtConsumers(room, 2);
        room.start();
        const core::OperationId id = test::must(room.retryAll(records::OperationKind::Retry, guarded()));
        QVERIFY(room.runUntil([&] { return room.operation(id).counts.sent >= 2; }));
        QCOMPARE(pauseAll(room).changed.size(), 1);
        QVERIFY(room.operation(id).pausedBy == PausedBy::PauseAll);
        QVERIFY(room.runUntil([&] { return room.operation(id).counts.cameBack == 2; }));
        QVERIFY(room.operation(id).pausedBy == PausedBy::StopRule);
        QVERIFY(resumeAll(room).changed.isEmpty());
        QVERIFY(room.operation(id).state == OperationState::Paused);
    }

    void resumeAllLeavesWhatAPersonPaused()
    {
        EngineRoom room;
        room.fill(20);
        room.start();
        records::Plan few;
        few.limit = 10;
        few.perMinute = 60;
        const core::OperationId hers = test::must(room.retryAll(records::OperationKind::Retry, few));
        const core::OperationId other = test::must(room.retryAll(records::OperationKind::Retry, few));
        QVERIFY(room.engine->retries().act(hers, api::OperationAction::Pause, ada));
        QCOMPARE(pauseAll(room).changed, QList{other});
        room.restart();
        QCOMPARE(room.operation(hers).pausedWho, ada);
        const api::PauseAllAnswer answer = resumeAll(room);
        QCOMPARE(answer.changed, QList{other});
        QCOMPARE(answer.held.size(), 1);
        QVERIFY(answer.held.first().by == PausedBy::Person);
        QVERIFY(answer.held.first().why.contains(ada));
        QVERIFY(room.operation(hers).state == OperationState::Paused);
        QVERIFY(room.runToEnd(other));
    }

    void resumeAllNeedsTheRightToRetry()
    {
        EngineRoom room;
        room.connection.rights.setFlag(records::Right::Retry, false);
        room.fill(4);
        const core::OperationId id = addOperation(room, OperationState::Running);
        test::must(room.store->transact([](store::Session &session) { return session.retries().setAllPaused(true); }));
        room.start();
        QVERIFY(room.operation(id).pausedBy == PausedBy::PauseAll);
        const core::Result<api::PauseAllAnswer> refused = room.engine->retries().pauseAll(false, ada);
        QVERIFY(!refused);
        QVERIFY(refused.error().kind == ErrorKind::Refused);
        QVERIFY(room.operation(id).state == OperationState::Paused);
        QVERIFY(room.engine->retries().isAllPaused());
    }

    // In the transaction that freezes its set: nothing can begin between that and a later one.
    void aSetThatIsFrozenWhileAllIsPausedIsPausedFromTheFirst()
    {
        EngineRoom room;
        room.fill(4);
        retry::FreezeOrder order;
        test::must(room.store->transact([&](store::Session &session) -> core::Result<> {
            order.asOfChange = test::must(session.changeNumber());
            return session.retries().setAllPaused(true);
        }));
        core::Timers timers(room.clock);
        retry::Freezer freezer(*room.store, room.clock, timers);
        order.operation.connection = room.shop;
        order.filter.connection = room.shop;
        order.expected = 4;
        std::optional<core::Result<retry::FrozenSet>> frozen;
        const auto freeze = [&]() -> core::Task<> {
            core::Result<retry::FrozenSet> set = co_await freezer.freeze(order);
            frozen = std::move(set);
        };
        const core::Task<> freezing = freeze();
        QVERIFY(room.runUntil([&] { return frozen.has_value(); }));
        const records::RetryOperation born = room.operation(test::must(*frozen).operation);
        QVERIFY(born.state == OperationState::Paused);
        QVERIFY(born.pausedBy == PausedBy::PauseAll);
    }

    void aDoubtThatIsSentAgainWhileAllIsPausedWaits()
    {
        EngineRoom room;
        room.fill(4);
        core::OperationId id;
        test::must(room.store->transact([&](store::Session &session) -> core::Result<> {
            store::RetryStore &retries = session.retries();
            id = test::retryUnderWay(session, room.shop, {{1}});
            store::BatchEnd end;
            end.inDoubt.append({1, QStringLiteral("no answer")});
            test::must(retries.finishForwarding(test::must(retries.batches(id)).constFirst().id, end));
            test::complete(session, id);
            test::must(retries.setAllPaused(true));
            test::must(retries.sendAgain(id, {1}, QStringLiteral("session")));
            return {};
        }));
        QVERIFY(!room.operation(id).finished);
        QVERIFY(room.operation(id).state == OperationState::Paused);
        QVERIFY(room.operation(id).pausedBy == PausedBy::PauseAll);
    }

    void whatIsConfirmedWhileAllIsPausedGoesWhenAllGoesOn()
    {
        EngineRoom room;
        room.fill(4);
        room.start();
        QVERIFY(pauseAll(room).changed.isEmpty());
        const core::OperationId id = test::must(room.retryAll());
        room.advance(std::chrono::minutes(5));
        QCOMPARE(room.operation(id).counts.pending, 4);
        QCOMPARE(resumeAll(room).changed, QList{id});
        QVERIFY(room.runToEnd(id));
        QCOMPARE(room.operation(id).counts.sent, 4);
    }
};

QTEST_GUILESS_MAIN(TestPauseAll)
#include "tst_pauseall.moc"
