// What ServiceControl's own tests of retries say, where nothing else here says it: tests/README.md has the whole list.
#include "tests/scenarios/worldquestions.h"

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
using scenario::RetryWorld;
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

// 1, 4, 5, 21: with one batch of two forwarded it is not at its end.
void TestReplayList::aRetryPreparesRunsAndCompletes()
{
    QFETCH(HandOver, handOver);
    RetryWorld world(1, settingsOf(handOver, 6, 3));
    world.start();
    world.request();
    QList<OperationState> seen;
    bool halfWay = false;
    const bool over = world.runUntil([&] {
        if (world.operations().isEmpty())
            return false;
        const records::RetryOperation operation = world.operations().first();
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
    QVERIFY(isQuietEnd(world));
}

// 3
void TestReplayList::aRestartInTheMiddleKeepsTheCount()
{
    QFETCH(HandOver, handOver);
    RetryWorld world(2, settingsOf(handOver, 16, 5));
    world.start();
    world.request();
    QVERIFY(world.runUntil([&] { return anyBatchIn(world, BatchStage::Forwarding); }));
    world.crash();
    QVERIFY(isQuietEnd(world));
    const records::RetryOperation operation = world.operations().first();
    QVERIFY(operation.state == OperationState::Completed);
    QCOMPARE(operation.total, 16);
    QCOMPARE(operation.counts.sent + operation.counts.inDoubt, 16);
}

// 6, 22: all of it is gone between claim and staging.
void TestReplayList::aBatchWithNothingLeftToStageIsDone()
{
    QFETCH(HandOver, handOver);
    RetryWorld world(3, settingsOf(handOver, 4, 4));
    world.start();
    world.request();
    QVERIFY(world.runUntil([&] { return anyBatchIn(world, BatchStage::Staging); }));
    QCOMPARE(world.decide(Decision::Archive, {{1}, {2}, {3}, {4}}).value_or(0), 4);
    QVERIFY(isQuietEnd(world));
    QVERIFY(world.operations().first().state == OperationState::Completed);
    QCOMPARE(count(world, Outcome::Skipped), 4);
    for (const records::RetryBatch &batch : world.batches(world.operations().first().id))
        QVERIFY(batch.stage == BatchStage::Done);
    QVERIFY(world.decide(Decision::Restore, {{1}, {2}, {3}, {4}}).value_or(0) == 4);
    world.request(); // and no claim of theirs is left
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Sent), 4);
}

// 12, 16: what was not staged keeps its status.
void TestReplayList::whatIsArchivedBeforeItGoesIsSkippedAndTheRestGoes()
{
    QFETCH(HandOver, handOver);
    RetryWorld world(4, settingsOf(handOver, 4, 4));
    world.start();
    world.request();
    QVERIFY(world.runUntil([&] { return anyBatchIn(world, BatchStage::Staging); }));
    QCOMPARE(world.decide(Decision::Archive, {{1}, {2}}).value_or(0), 2);
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Skipped), 2);
    QCOMPARE(count(world, Outcome::Sent), 2);
    QVERIFY(world.message({1}).status == MessageStatus::Archived);
    QVERIFY(world.message({3}).status == MessageStatus::RetryIssued);
}

// 39
void TestReplayList::onlyUnresolvedOnesAreRetried()
{
    RetryWorld world(5, {});
    world.start();
    QCOMPARE(world.decide(Decision::Archive, {{1}, {2}, {3}}).value_or(0), 3);
    world.request();
    QVERIFY(isQuietEnd(world));
    QCOMPARE(world.operations().first().total, 9);
    QVERIFY(world.message({1}).status == MessageStatus::Archived);
}

// 34
void TestReplayList::anUnknownMessageHindersNoOther()
{
    RetryWorld world(6, {});
    world.start();
    RetryWorld::Wish wish;
    wish.filter.messages = {{1}, {9999}};
    world.request(wish);
    world.request();
    QVERIFY(isQuietEnd(world));
    QCOMPARE(world.operations().last().total, 1);
    QCOMPARE(count(world, Outcome::Sent), 12);
}

// 33, and RevertRetry, which nobody tests there: the claim is gone with the refusal.
void TestReplayList::whatWasEjectedCanBeRetriedAgain()
{
    QFETCH(HandOver, handOver);
    Settings settings = settingsOf(handOver, 6, 3);
    settings.missingDestination = true; // of the fourth
    RetryWorld world(7, settings);
    world.start();
    world.request();
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Ejected), 1);
    QVERIFY(world.message({4}).status == MessageStatus::Unresolved);
    world.broker->addQueue(QStringLiteral("nowhere"));
    world.request();
    QVERIFY(world.runToEnd());
    const core::OperationId again = world.operations().first().id;
    QCOMPARE(world.members(again).size(), 1);
    QVERIFY(world.members(again).first().outcome == Outcome::Sent);
    QCOMPARE(world.deliveries(world.members(again).first().uniqueId, again), 1);
}

QTEST_GUILESS_MAIN(TestReplayList)
#include "tst_replaylist.moc"
