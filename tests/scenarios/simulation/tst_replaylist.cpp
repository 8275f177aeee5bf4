// Cases of ServiceControl's own retry tests that no other test here covers; tests/README.md has the whole list.
#include "tests/scenarios/simulation/simulationquestions.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::BatchStage;
using records::HandOver;
using records::MessageStatus;
using records::OperationState;
using records::Outcome;
using scenario::anyBatchIn;
using scenario::bothHandOvers;
using scenario::count;
using scenario::Decision;
using scenario::isQuietEnd;
using scenario::RetrySimulation;
using scenario::Settings;

class TestReplayList : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRetryPreparesRunsAndCompletes_data() { bothHandOvers(); }
    void aRetryPreparesRunsAndCompletes();
    void aRestartInTheMiddleKeepsTheCount_data() { bothHandOvers(); }
    void aRestartInTheMiddleKeepsTheCount();
    void aBatchWithNothingLeftToStageIsDone_data() { bothHandOvers(); }
    void aBatchWithNothingLeftToStageIsDone();
    void whatIsArchivedBeforeItGoesIsSkippedAndTheRestGoes_data() { bothHandOvers(); }
    void whatIsArchivedBeforeItGoesIsSkippedAndTheRestGoes();
    void onlyUnresolvedOnesAreRetried();
    void anUnknownMessageHindersNoOther();
    void whatWasEjectedCanBeRetriedAgain_data() { bothHandOvers(); }
    void whatWasEjectedCanBeRetriedAgain();
};

namespace {

Settings settingsOf(HandOver handOver, int messages, int batchMembers)
{
    Settings settings;
    settings.handOver = handOver;
    settings.messages = messages;
    settings.batchMembers = batchMembers;
    return settings;
}

} // namespace

// 1, 4, 5, 21: it has not ended when one of two batches is forwarded.
void TestReplayList::aRetryPreparesRunsAndCompletes()
{
    QFETCH(HandOver, handOver);
    RetrySimulation simulation(1, settingsOf(handOver, 6, 3));
    simulation.start();
    simulation.request();
    QList<OperationState> seen;
    bool halfWay = false;
    const bool over = simulation.runUntil([&] {
        if (simulation.operations().isEmpty())
            return false;
        const records::RetryOperation operation = simulation.operations().first();
        if (seen.isEmpty() || seen.last() != operation.state)
            seen.append(operation.state);
        const bool half = operation.counts.sent == 3 && operation.counts.staged + operation.counts.claimed > 0;
        halfWay = halfWay || (half && operation.state == OperationState::Running);
        return operation.finished.has_value();
    });
    QVERIFY(over);
    const QList<OperationState> asDesigned{OperationState::Freezing, OperationState::Waiting, OperationState::Preparing,
                                           OperationState::Running, OperationState::Completed};
    QVERIFY(std::includes(
        asDesigned.cbegin(), asDesigned.cend(), seen.cbegin(), seen.cend(),
        [&](OperationState a, OperationState b) { return asDesigned.indexOf(a) < asDesigned.indexOf(b); }));
    QVERIFY(seen.contains(OperationState::Preparing) && seen.contains(OperationState::Running));
    QVERIFY(halfWay);
    QVERIFY(isQuietEnd(simulation));
}

// 3
void TestReplayList::aRestartInTheMiddleKeepsTheCount()
{
    QFETCH(HandOver, handOver);
    RetrySimulation simulation(2, settingsOf(handOver, 16, 5));
    simulation.start();
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return anyBatchIn(simulation, BatchStage::Forwarding); }));
    simulation.crash();
    QVERIFY(isQuietEnd(simulation));
    const records::RetryOperation operation = simulation.operations().first();
    QVERIFY(operation.state == OperationState::Completed);
    QCOMPARE(operation.total, 16);
    QCOMPARE(operation.counts.sent + operation.counts.inDoubt, 16);
}

// 6, 22: all its messages are gone between claim and staging.
void TestReplayList::aBatchWithNothingLeftToStageIsDone()
{
    QFETCH(HandOver, handOver);
    RetrySimulation simulation(3, settingsOf(handOver, 4, 4));
    simulation.start();
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return anyBatchIn(simulation, BatchStage::Staging); }));
    QCOMPARE(simulation.decide(Decision::Archive, {{1}, {2}, {3}, {4}}).value_or(0), 4);
    QVERIFY(isQuietEnd(simulation));
    QVERIFY(simulation.operations().first().state == OperationState::Completed);
    QCOMPARE(count(simulation, Outcome::Skipped), 4);
    for (const records::RetryBatch &batch : simulation.batches(simulation.operations().first().id))
        QVERIFY(batch.stage == BatchStage::Done);
    QVERIFY(simulation.decide(Decision::Restore, {{1}, {2}, {3}, {4}}).value_or(0) == 4);
    simulation.request(); // and none of their claims is left
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 4);
}

// 12, 16: messages that were not staged keep their status.
void TestReplayList::whatIsArchivedBeforeItGoesIsSkippedAndTheRestGoes()
{
    QFETCH(HandOver, handOver);
    RetrySimulation simulation(4, settingsOf(handOver, 4, 4));
    simulation.start();
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return anyBatchIn(simulation, BatchStage::Staging); }));
    QCOMPARE(simulation.decide(Decision::Archive, {{1}, {2}}).value_or(0), 2);
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Skipped), 2);
    QCOMPARE(count(simulation, Outcome::Sent), 2);
    QVERIFY(simulation.message({1}).status == MessageStatus::Archived);
    QVERIFY(simulation.message({3}).status == MessageStatus::RetryIssued);
}

// 39
void TestReplayList::onlyUnresolvedOnesAreRetried()
{
    RetrySimulation simulation(5, {});
    simulation.start();
    QCOMPARE(simulation.decide(Decision::Archive, {{1}, {2}, {3}}).value_or(0), 3);
    simulation.request();
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(simulation.operations().first().total, 9);
    QVERIFY(simulation.message({1}).status == MessageStatus::Archived);
}

// 34
void TestReplayList::anUnknownMessageHindersNoOther()
{
    RetrySimulation simulation(6, {});
    simulation.start();
    RetrySimulation::UserAction action;
    action.filter.messages = {{1}, {9999}};
    simulation.request(action);
    simulation.request();
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(simulation.operations().last().total, 1);
    QCOMPARE(count(simulation, Outcome::Sent), 12);
}

// 33, and RevertRetry, which has no test there: a refusal removes the claim.
void TestReplayList::whatWasEjectedCanBeRetriedAgain()
{
    QFETCH(HandOver, handOver);
    Settings settings = settingsOf(handOver, 6, 3);
    settings.missingDestination = true; // of the fourth
    RetrySimulation simulation(7, settings);
    simulation.start();
    simulation.request();
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Ejected), 1);
    QVERIFY(simulation.message({4}).status == MessageStatus::Unresolved);
    simulation.broker->addQueue(QStringLiteral("nowhere"));
    simulation.request();
    QVERIFY(simulation.runToEnd());
    const core::OperationId again = simulation.operations().first().id;
    QCOMPARE(simulation.members(again).size(), 1);
    QVERIFY(simulation.members(again).first().outcome == Outcome::Sent);
    QCOMPARE(simulation.deliveries(simulation.members(again).first().uniqueId, again), 1);
}

REDRIVE_TEST(TestReplayList)
#include "tst_replaylist.moc"
