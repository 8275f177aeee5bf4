#include "tests/scenarios/worldquestions.h"

#include "backend/store/messagestore.h"
#include "backend/store/retrystore.h"

#include <QTest>

using records::BatchStage;
using records::HandOver;
using records::OperationState;
using records::Outcome;
using scenario::anyBatchIn;
using scenario::bothHandOvers;
using scenario::count;
using scenario::isQuietEnd;
using scenario::RetryWorld;
using scenario::Settings;

// The rules of the ServiceControl design, one by one, on both hand-overs where both have them.
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
    void firstClaimWins();
    void aPoisonMessageIsEjectedAfterFiveAttempts();
    void aMissingDestinationEjectsAndTheRestGoesOn_data();
    void aMissingDestinationEjectsAndTheRestGoesOn();
    void aHalfFrozenSetIsDiscardedAtStart();
    void aHalfFrozenSetIsDiscardedOnceTheStoreTakesItAgain();
    void cameBackReleasesTheClaimAndTheMessageCanBeRetriedAgain();
    void cancelEndsWhatIsNotWithTheBroker();
    void ledgerOutcomesAreStoredWhileTheRestIsOnItsWay();
    void whatIsStagedAndSentIsToldOnBothHandOvers_data();
    void whatIsStagedAndSentIsToldOnBothHandOvers();
    void pausingTheLedgerKeepsStagesForwardAndResumes();
    void anyStoreTransactionMayFail_data();
    void anyStoreTransactionMayFail();
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
    RetryWorld world(1, settings);
    world.start();
    world.request();
    QVERIFY(isQuietEnd(world));
    const core::OperationId id = world.operations().first().id;
    QVERIFY(world.operations().first().state == OperationState::Completed);
    QCOMPARE(world.operations().first().counts.sent, 12);
    for (const store::RetryMember &member : world.members(id)) {
        QCOMPARE(world.deliveries(member.uniqueId, id), 1);
        QVERIFY(world.message(member.message).status == records::MessageStatus::RetryIssued);
    }
    QCOMPARE(world.batches(id).size(), 3);
}

void TestRetryRules::orphanedBatchesAreAdoptedAndFinished()
{
    RetryWorld world(2, {});
    world.start();
    world.request();
    world.process->decide = [&world](int) {
        // The process dies right after T2a: the batch is there, its claims are not.
        return anyBatchIn(world, BatchStage::MarkingDocuments) ? support::FaultyStore::Fault::DieAfterCommit
                                                               : support::FaultyStore::Fault::None;
    };
    QVERIFY(world.runUntil([&] { return world.crashes > 0; }));
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Sent), 12);
}

void TestRetryRules::interruptedStagingRestartsWholeUnderANewStagingId()
{
    RetryWorld world(3, {});
    world.start();
    world.request();
    QVERIFY(world.runUntil([&] { return !world.broker->places().isEmpty(); }));
    const QString place = world.broker->places().first();
    const core::OperationId id = world.operations().first().id;
    world.crash();
    QVERIFY(isQuietEnd(world)); // I5 is asserted at every delivery, the void place is gone
    QVERIFY(world.batches(id).first().place != place);
    QCOMPARE(count(world, Outcome::Sent), 12);
}

// Its request was still on its way at the start: for a place that the start took down, or for one that it could not see.
void TestRetryRules::whatADeadSessionMadeLateIsTakenDown()
{
    RetryWorld world(5, {});
    world.start();
    const QString prefix = QStringLiteral("redrive.%1.0.").arg(world.process->storeId());
    world.broker->strew(prefix + QStringLiteral("seen"));
    QVERIFY(world.runUntil([&] { return world.broker->places().isEmpty(); }));
    world.broker->strew(prefix + QStringLiteral("seen"));
    world.broker->strew(prefix + QStringLiteral("late"));
    QVERIFY(world.runUntil([&] { return world.broker->places().isEmpty(); }));
    QVERIFY(isQuietEnd(world));
}

void TestRetryRules::aBatchFoundForwardingIsDrained()
{
    RetryWorld world(4, {});
    world.start();
    world.request();
    QVERIFY(world.runUntil([&] { return anyBatchIn(world, BatchStage::Forwarding); }));
    const core::OperationId id = world.operations().first().id;
    const QString stagingId = world.batches(id).first().stagingId;
    world.crash();
    QVERIFY(isQuietEnd(world));
    QCOMPARE(world.batches(id).first().stagingId, stagingId);
    QCOMPARE(count(world, Outcome::Sent), 12);
    QCOMPARE(world.operations().first().counts.possibleDuplicates, 0);
}

// T3b stands in the file, but the store can only say that it failed. Until the next start this process lives on.
void TestRetryRules::aStoreThatFailsAfterTheCommitTakesNoCopiesDown()
{
    RetryWorld world(5, {});
    world.start();
    world.request();
    world.process->decide = [&world](int) {
        const QStringList places = world.broker->places();
        const bool isFull = !places.isEmpty() && world.broker->copiesIn(places.first()) == 5;
        return isFull ? support::FaultyStore::Fault::DieAfterCommit : support::FaultyStore::Fault::None;
    };
    QVERIFY(world.runUntil([&] { return world.process->isDead(); }));
    world.linger(100);
    QVERIFY(anyBatchIn(world, BatchStage::Forwarding));
    QCOMPARE(world.broker->places().size(), 1);
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Sent), 12);
}

void TestRetryRules::firstClaimWins()
{
    RetryWorld world(5, {});
    world.start();
    world.request();
    world.request();
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Sent), 12);
    QCOMPARE(world.operations().size(), 2);
}

void TestRetryRules::aPoisonMessageIsEjectedAfterFiveAttempts()
{
    Settings settings;
    settings.messages = 3;
    settings.poison = true;
    RetryWorld world(6, settings);
    world.start();
    world.request();
    QVERIFY(isQuietEnd(world));
    const QList<store::RetryMember> members = world.members(world.operations().first().id);
    QVERIFY(members.at(1).outcome == Outcome::Ejected);
    QCOMPARE(members.at(1).stageAttempts, 5);
    QCOMPARE(count(world, Outcome::Sent), 2);
    QVERIFY(world.operations().first().state == OperationState::Completed);
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
    RetryWorld world(7, settings);
    world.start();
    world.request();
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Ejected), 2); // 3 and 8 of 12
    QCOMPARE(count(world, Outcome::Sent), 10);
}

void TestRetryRules::aHalfFrozenSetIsDiscardedAtStart()
{
    RetryWorld world(8, {});
    world.start();
    world.process->decide = [&world](int) {
        return world.operations().isEmpty() ? support::FaultyStore::Fault::DieAfterCommit
                                            : support::FaultyStore::Fault::None;
    };
    world.request();
    QVERIFY(world.runUntil([&] { return world.crashes > 0; }));
    QVERIFY(isQuietEnd(world)); // asked for again, and only that one is there
    QCOMPARE(world.operations().size(), 1);
    QCOMPARE(world.operations().first().total, 12);
}

void TestRetryRules::aHalfFrozenSetIsDiscardedOnceTheStoreTakesItAgain()
{
    RetryWorld world(8, {});
    world.start();
    const auto isFreezing = [&world] {
        const QList<records::RetryOperation> all = world.operations();
        return std::any_of(all.begin(), all.end(),
                           [](const auto &one) { return one.state == OperationState::Freezing; });
    };
    int refused = 0;
    world.process->decide = [&](int) {
        const bool refuses = refused < 2 && isFreezing(); // its slice, and that it is discarded
        refused += refuses ? 1 : 0;
        return refuses ? support::FaultyStore::Fault::RollBack : support::FaultyStore::Fault::None;
    };
    world.request();
    QVERIFY(world.runUntil([&] { return refused == 2; }));
    QVERIFY(isFreezing());
    QVERIFY(isQuietEnd(world));
    QCOMPARE(world.crashes, 0);
    QCOMPARE(world.operations().size(), 1); // the one that was asked for again
    QCOMPARE(world.operations().first().total, 12);
}

void TestRetryRules::cameBackReleasesTheClaimAndTheMessageCanBeRetriedAgain()
{
    Settings settings;
    settings.failsAgain = 2;
    RetryWorld world(9, settings);
    world.start();
    world.request();
    QVERIFY(isQuietEnd(world));
    QCOMPARE(world.operations().first().counts.cameBack, 2);
    world.request();
    QVERIFY(world.runUntil([&] { return world.operations().size() == 2; }));
    QVERIFY(isQuietEnd(world));
    QCOMPARE(world.operations().first().total, 2);
    for (const store::RetryMember &member : world.members(world.operations().first().id)) {
        QCOMPARE(member.attempt, 2);
        QVERIFY(member.outcome == Outcome::Sent);
    }
}

void TestRetryRules::cancelEndsWhatIsNotWithTheBroker()
{
    RetryWorld world(12, {});
    world.start();
    world.request();
    QVERIFY(world.runUntil([&] { return anyBatchIn(world, BatchStage::Forwarding); }));
    QVERIFY(world.processor->change(world.operations().first().id, retry::StateChange::Cancel, {}).has_value());
    QVERIFY(isQuietEnd(world));
    const records::RetryOperation operation = world.operations().first();
    QVERIFY(operation.state == OperationState::Cancelled);
    QCOMPARE(operation.counts.sent, 5);
    QCOMPARE(operation.counts.cancelled, 7);
    QVERIFY(!world.processor->change(operation.id, retry::StateChange::Resume, {}).has_value());
}

void TestRetryRules::ledgerOutcomesAreStoredWhileTheRestIsOnItsWay()
{
    Settings settings;
    settings.handOver = HandOver::Ledger;
    settings.batchMembers = 12;
    RetryWorld world(14, settings);
    world.start();
    world.request();
    qint64 mostOpen = 0;
    QList<qint64> steps; // how many were stored as sent, each time that number grew
    const auto openIntents = [&world] {
        qint64 open = 0;
        for (const store::RetryMember &member : world.members(world.operations().first().id))
            open += member.intent ? 1 : 0;
        return open;
    };
    const auto isOver = [&] {
        if (world.operations().isEmpty())
            return false;
        mostOpen = std::max(mostOpen, openIntents());
        const qint64 sent = world.operations().first().counts.sent;
        if (sent > (steps.isEmpty() ? 0 : steps.last()))
            steps.append(sent);
        return sent == 12;
    };
    QVERIFY(world.runUntil(isOver));
    QCOMPARE(mostOpen, 4); // two calls of two: no more is in doubt after a crash
    QCOMPARE(steps, (QList<qint64>{2, 4, 6, 8, 10, 12})); // each call by itself, not the four of both at once
    QVERIFY(isQuietEnd(world));
}

void TestRetryRules::whatIsStagedAndSentIsToldOnBothHandOvers_data()
{
    bothHandOvers();
}

void TestRetryRules::whatIsStagedAndSentIsToldOnBothHandOvers()
{
    QFETCH(HandOver, handOver);
    Settings settings;
    settings.handOver = handOver;
    RetryWorld world(15, settings);
    world.start();
    world.request();
    QVERIFY(isQuietEnd(world));
    QCOMPARE(world.stagedSeen, 12);
    QCOMPARE(world.sentSeen, 12);
}

void TestRetryRules::pausingTheLedgerKeepsStagesForwardAndResumes()
{
    Settings settings;
    settings.handOver = HandOver::Ledger;
    settings.batchMembers = 12;
    RetryWorld world(13, settings);
    world.start();
    world.request();
    QVERIFY(world.runUntil([&] { return count(world, Outcome::Sent) > 0; }));
    const core::OperationId id = world.operations().first().id;
    QVERIFY(world.processor->change(id, retry::StateChange::Pause, {}).has_value());
    QVERIFY(world.runUntil([&] { return count(world, Outcome::Staged) == 0; }));
    QVERIFY(count(world, Outcome::Claimed) > 0);
    QVERIFY(world.processor->change(id, retry::StateChange::Resume, {}).has_value());
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Sent), 12);
    QCOMPARE(world.operations().first().counts.possibleDuplicates, 0);
}

void TestRetryRules::anyStoreTransactionMayFail_data()
{
    bothHandOvers();
}

void TestRetryRules::anyStoreTransactionMayFail()
{
    QFETCH(HandOver, handOver);
    Settings settings;
    settings.handOver = handOver;
    settings.messages = 4;
    settings.batchMembers = 3;
    settings.onUnknown = records::OnUnknown::SendAgain;
    for (int failing = 1; failing <= 24; ++failing) {
        for (const auto fault : {support::FaultyStore::Fault::RollBack, support::FaultyStore::Fault::DieAfterCommit}) {
            RetryWorld world(quint64(100 + failing), settings);
            world.start();
            world.process->decide = [=](int transaction) {
                return transaction == failing ? fault : support::FaultyStore::Fault::None;
            };
            world.request();
            QVERIFY2(isQuietEnd(world), qPrintable(QStringLiteral("transaction %1").arg(failing)));
            QCOMPARE(count(world, Outcome::Sent), 4);
        }
    }
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
        RetryWorld world(quint64(200 + failing), settings);
        world.broker->failCall = failing;
        world.start();
        world.request();
        QVERIFY2(isQuietEnd(world), qPrintable(QStringLiteral("call %1").arg(failing)));
        QCOMPARE(count(world, Outcome::Sent), 4);
        QCOMPARE(world.operations().first().counts.possibleDuplicates, 0);
    }
}

void TestRetryRules::theStagingQueueMayBeWithdrawnAtAnyCall()
{
    Settings settings;
    settings.messages = 4;
    settings.batchMembers = 3;
    for (int failing = 1; failing <= 20; ++failing) {
        RetryWorld world(quint64(300 + failing), settings);
        world.broker->failCall = failing;
        world.broker->failWithdraws = true;
        world.start();
        world.request();
        QVERIFY2(isQuietEnd(world), qPrintable(QStringLiteral("call %1").arg(failing)));
        QCOMPARE(count(world, Outcome::Sent), 4);
        QCOMPARE(world.operations().first().counts.possibleDuplicates, 0);
    }
}

QTEST_GUILESS_MAIN(TestRetryRules)
#include "tst_retryrules.moc"
