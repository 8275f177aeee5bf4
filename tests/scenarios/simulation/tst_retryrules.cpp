// The rules of a retry, one by one: claims, staging, forwarding, outcomes, pause and cancel.
#include "tests/scenarios/simulation/simulationquestions.h"

#include "backend/store/messages/messagestore.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::BatchStage;
using records::HandOver;
using records::OperationState;
using records::Outcome;
using scenario::anyBatchIn;
using scenario::bothHandOvers;
using scenario::count;
using scenario::isQuietEnd;
using scenario::RetrySimulation;
using scenario::Settings;

// The rules of the ServiceControl design, each on every hand-over that has it.
class TestRetryRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void allMessagesReachTheirDestinationOnce_data();
    void allMessagesReachTheirDestinationOnce();
    void orphanedBatchesAreAdoptedAndFinished();
    void interruptedStagingRestartsWholeUnderANewStagingId();
    void whatADeadSessionMadeLateIsTakenDown();
    void aBatchFoundForwardingIsDrained();
    void aStoreThatFailsAfterTheCommitTakesNoCopiesDown();
    void aPoisonMessageIsEjectedAfterFiveAttempts();
    void aMissingDestinationEjectsAndTheRestGoesOn_data();
    void aMissingDestinationEjectsAndTheRestGoesOn();
    void aHalfFrozenSetIsDiscardedAtStart();
    void aHalfFrozenSetIsDiscardedOnceTheStoreTakesItAgain();
    void cameBackReleasesTheClaimAndTheMessageCanBeRetriedAgain();
    void cancelEndsWhatIsNotWithTheBroker();
    void intentOutcomesAreStoredWhileTheRestIsOnItsWay();
    void pausingTheIntentLogKeepsStagesForwardAndResumes();
    void anyBrokerCallMayFail_data();
    void anyBrokerCallMayFail();
    void theStagingQueueMayBeWithdrawnAtAnyCall();
};

void TestRetryRules::allMessagesReachTheirDestinationOnce_data()
{
    bothHandOvers();
}

void TestRetryRules::allMessagesReachTheirDestinationOnce()
{
    QFETCH(HandOver, handOver);
    Settings settings;
    settings.handOver = handOver;
    RetrySimulation simulation(1, settings);
    simulation.start();
    simulation.request();
    QVERIFY(isQuietEnd(simulation));
    const core::OperationId id = simulation.operations().first().id;
    QVERIFY(simulation.operations().first().state == OperationState::Completed);
    QCOMPARE(simulation.operations().first().counts.sent, 12);
    for (const store::RetryMember &member : simulation.members(id)) {
        QCOMPARE(simulation.deliveries(member.uniqueId, id), 1);
        QVERIFY(simulation.message(member.message).status == records::MessageStatus::RetryIssued);
    }
    QCOMPARE(simulation.batches(id).size(), 3);
    QCOMPARE(simulation.stagedSeen, 12);
    QCOMPARE(simulation.sentSeen, 12);
}

void TestRetryRules::orphanedBatchesAreAdoptedAndFinished()
{
    RetrySimulation simulation(2, {});
    simulation.start();
    simulation.request();
    simulation.process->decide = [&simulation](int) {
        // The process dies in step claim, right after addBatch: the batch is there, its claims are not.
        return anyBatchIn(simulation, BatchStage::MarkingDocuments) ? support::FaultyStore::Fault::DieAfterCommit
                                                                    : support::FaultyStore::Fault::None;
    };
    QVERIFY(simulation.runUntil([&] { return simulation.crashes > 0; }));
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 12);
}

void TestRetryRules::interruptedStagingRestartsWholeUnderANewStagingId()
{
    RetrySimulation simulation(3, {});
    simulation.start();
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return !simulation.broker->places().isEmpty(); }));
    const QString place = simulation.broker->places().first();
    const core::OperationId id = simulation.operations().first().id;
    simulation.crash();
    QVERIFY(isQuietEnd(simulation)); // I5 is asserted at every delivery, the void place is gone
    QVERIFY(simulation.batches(id).first().place != place);
    QCOMPARE(count(simulation, Outcome::Sent), 12);
}

// A request of the previous run is still on its way at the start: for a place that the start removed, or could not see.
void TestRetryRules::whatADeadSessionMadeLateIsTakenDown()
{
    RetrySimulation simulation(5, {});
    simulation.start();
    const QString prefix = QStringLiteral("redrive.%1.0.").arg(simulation.process->storeId());
    simulation.broker->strew(prefix + QStringLiteral("seen"));
    QVERIFY(simulation.runUntil([&] { return simulation.broker->places().isEmpty(); }));
    simulation.broker->strew(prefix + QStringLiteral("seen"));
    simulation.broker->strew(prefix + QStringLiteral("late"));
    QVERIFY(simulation.runUntil([&] { return simulation.broker->places().isEmpty(); }));
    QVERIFY(isQuietEnd(simulation));
}

void TestRetryRules::aBatchFoundForwardingIsDrained()
{
    RetrySimulation simulation(4, {});
    simulation.start();
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return anyBatchIn(simulation, BatchStage::Forwarding); }));
    const core::OperationId id = simulation.operations().first().id;
    const QString stagingId = simulation.batches(id).first().stagingId;
    simulation.crash();
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(simulation.batches(id).first().stagingId, stagingId);
    QCOMPARE(count(simulation, Outcome::Sent), 12);
    QCOMPARE(simulation.operations().first().counts.possibleDuplicates, 0);
}

// commitStaged is in the file, but the store reports a failure. The process runs on until the next start.
void TestRetryRules::aStoreThatFailsAfterTheCommitTakesNoCopiesDown()
{
    RetrySimulation simulation(5, {});
    simulation.start();
    simulation.request();
    simulation.process->decide = [&simulation](int) {
        const QStringList places = simulation.broker->places();
        const bool isFull = !places.isEmpty() && simulation.broker->copiesIn(places.first()) == 5;
        return isFull ? support::FaultyStore::Fault::DieAfterCommit : support::FaultyStore::Fault::None;
    };
    QVERIFY(simulation.runUntil([&] { return simulation.process->isDead(); }));
    simulation.linger(100);
    QVERIFY(anyBatchIn(simulation, BatchStage::Forwarding));
    QCOMPARE(simulation.broker->places().size(), 1);
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 12);
}

void TestRetryRules::aPoisonMessageIsEjectedAfterFiveAttempts()
{
    Settings settings;
    settings.messages = 3;
    settings.poison = true;
    RetrySimulation simulation(6, settings);
    simulation.start();
    simulation.request();
    QVERIFY(isQuietEnd(simulation));
    const QList<store::RetryMember> members = simulation.members(simulation.operations().first().id);
    QVERIFY(members.at(1).outcome == Outcome::Ejected);
    QCOMPARE(members.at(1).stageAttempts, 5);
    QCOMPARE(count(simulation, Outcome::Sent), 2);
    QVERIFY(simulation.operations().first().state == OperationState::Completed);
}

void TestRetryRules::aMissingDestinationEjectsAndTheRestGoesOn_data()
{
    bothHandOvers();
}

void TestRetryRules::aMissingDestinationEjectsAndTheRestGoesOn()
{
    QFETCH(HandOver, handOver);
    Settings settings;
    settings.handOver = handOver;
    settings.missingDestination = true;
    RetrySimulation simulation(7, settings);
    simulation.start();
    simulation.request();
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Ejected), 2); // 3 and 8 of 12
    QCOMPARE(count(simulation, Outcome::Sent), 10);
}

void TestRetryRules::aHalfFrozenSetIsDiscardedAtStart()
{
    RetrySimulation simulation(8, {});
    simulation.start();
    simulation.process->decide = [&simulation](int) {
        return simulation.operations().isEmpty() ? support::FaultyStore::Fault::DieAfterCommit
                                                 : support::FaultyStore::Fault::None;
    };
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return simulation.crashes > 0; }));
    QVERIFY(isQuietEnd(simulation)); // requested again; only that operation exists
    QCOMPARE(simulation.operations().size(), 1);
    QCOMPARE(simulation.operations().first().total, 12);
}

void TestRetryRules::aHalfFrozenSetIsDiscardedOnceTheStoreTakesItAgain()
{
    RetrySimulation simulation(8, {});
    simulation.start();
    const auto isFreezing = [&simulation] {
        const QList<records::RetryOperation> all = simulation.operations();
        return std::any_of(all.begin(), all.end(),
                           [](const auto &one) { return one.state == OperationState::Freezing; });
    };
    int refused = 0;
    simulation.process->decide = [&](int) {
        const bool refuses = refused < 2 && isFreezing(); // its slice, and that it is discarded
        refused += refuses ? 1 : 0;
        return refuses ? support::FaultyStore::Fault::RollBack : support::FaultyStore::Fault::None;
    };
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return refused == 2; }));
    QVERIFY(isFreezing());
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(simulation.crashes, 0);
    QCOMPARE(simulation.operations().size(), 1); // the one that was requested again
    QCOMPARE(simulation.operations().first().total, 12);
}

void TestRetryRules::cameBackReleasesTheClaimAndTheMessageCanBeRetriedAgain()
{
    Settings settings;
    settings.failsAgain = 2;
    RetrySimulation simulation(9, settings);
    simulation.start();
    simulation.request();
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(simulation.operations().first().counts.cameBack, 2);
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return simulation.operations().size() == 2; }));
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(simulation.operations().first().total, 2);
    for (const store::RetryMember &member : simulation.members(simulation.operations().first().id)) {
        QCOMPARE(member.attempt, 2);
        QVERIFY(member.outcome == Outcome::Sent);
    }
}

void TestRetryRules::cancelEndsWhatIsNotWithTheBroker()
{
    RetrySimulation simulation(12, {});
    simulation.start();
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return anyBatchIn(simulation, BatchStage::Forwarding); }));
    QVERIFY(
        simulation.processor->change(simulation.operations().first().id, retry::StateChange::Cancel, {}).has_value());
    QVERIFY(isQuietEnd(simulation));
    const records::RetryOperation operation = simulation.operations().first();
    QVERIFY(operation.state == OperationState::Cancelled);
    QCOMPARE(operation.counts.sent, 5);
    QCOMPARE(operation.counts.cancelled, 7);
    QVERIFY(!simulation.processor->change(operation.id, retry::StateChange::Resume, {}).has_value());
}

void TestRetryRules::intentOutcomesAreStoredWhileTheRestIsOnItsWay()
{
    Settings settings;
    settings.handOver = HandOver::IntentLog;
    settings.batchMembers = 12;
    RetrySimulation simulation(14, settings);
    simulation.start();
    simulation.request();
    qint64 mostOpen = 0;
    QList<qint64> steps; // how many were stored as sent, each time that number grew
    const auto openIntents = [&simulation] {
        qint64 open = 0;
        for (const store::RetryMember &member : simulation.members(simulation.operations().first().id))
            open += member.intent ? 1 : 0;
        return open;
    };
    const auto isOver = [&] {
        if (simulation.operations().isEmpty())
            return false;
        mostOpen = std::max(mostOpen, openIntents());
        const qint64 sent = simulation.operations().first().counts.sent;
        if (sent > (steps.isEmpty() ? 0 : steps.last()))
            steps.append(sent);
        return sent == 12;
    };
    QVERIFY(simulation.runUntil(isOver));
    QCOMPARE(mostOpen, 4); // two calls of two: no more is in doubt after a crash
    QCOMPARE(steps, (QList<qint64>{2, 4, 6, 8, 10, 12})); // each call by itself, not both at once
    QVERIFY(isQuietEnd(simulation));
}

void TestRetryRules::pausingTheIntentLogKeepsStagesForwardAndResumes()
{
    Settings settings;
    settings.handOver = HandOver::IntentLog;
    settings.batchMembers = 12;
    RetrySimulation simulation(13, settings);
    simulation.start();
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return count(simulation, Outcome::Sent) > 0; }));
    const core::OperationId id = simulation.operations().first().id;
    QVERIFY(simulation.processor->change(id, retry::StateChange::Pause, {}).has_value());
    QVERIFY(simulation.runUntil([&] { return count(simulation, Outcome::Staged) == 0; }));
    QVERIFY(count(simulation, Outcome::Claimed) > 0);
    QVERIFY(simulation.processor->change(id, retry::StateChange::Resume, {}).has_value());
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 12);
    QCOMPARE(simulation.operations().first().counts.possibleDuplicates, 0);
}

void TestRetryRules::anyBrokerCallMayFail_data()
{
    bothHandOvers();
}

void TestRetryRules::anyBrokerCallMayFail()
{
    QFETCH(HandOver, handOver);
    Settings settings;
    settings.handOver = handOver;
    settings.messages = 4;
    settings.batchMembers = 3;
    for (int failing = 1; failing <= 20; ++failing) {
        RetrySimulation simulation(quint64(200 + failing), settings);
        simulation.broker->failCall = failing;
        simulation.start();
        simulation.request();
        QVERIFY2(isQuietEnd(simulation), qPrintable(QStringLiteral("call %1").arg(failing)));
        QCOMPARE(count(simulation, Outcome::Sent), 4);
        QCOMPARE(simulation.operations().first().counts.possibleDuplicates, 0);
    }
}

void TestRetryRules::theStagingQueueMayBeWithdrawnAtAnyCall()
{
    Settings settings;
    settings.messages = 4;
    settings.batchMembers = 3;
    for (int failing = 1; failing <= 20; ++failing) {
        RetrySimulation simulation(quint64(300 + failing), settings);
        simulation.broker->failCall = failing;
        simulation.broker->failWithdraws = true;
        simulation.start();
        simulation.request();
        QVERIFY2(isQuietEnd(simulation), qPrintable(QStringLiteral("call %1").arg(failing)));
        QCOMPARE(count(simulation, Outcome::Sent), 4);
        QCOMPARE(simulation.operations().first().counts.possibleDuplicates, 0);
    }
}

REDRIVE_TEST(TestRetryRules)
#include "tst_retryrules.moc"
