#include "models/retries/batchboard.h"
#include "tests/support/testmain/testmain.h"

#include <QLocale>
#include <QTest>

using models::BatchBoard;
using records::BatchStage;
using records::OperationState;

class TestBatchBoard final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void cardsLieInTheColumnOfTheirStage();
    void onlyTheFollowedOperationIsShown();
    void aWaitingBatchSaysWhy();
    void doneCardsCountWhatWasNotSent();
    void aCardThatSentNothingSaysSo();
    void moreThanTwentyCardsBecomeANumber();
    void batchesThatLeftTheSnapshotAreStillCountedDone();
    void theNewestRunningOperationIsFollowed();
    void paceIsSilentWhenNothingMoves();
    void theRestIsCountedInBatches();
};

namespace {

api::OperationView operation(qint64 id, OperationState state, int batches)
{
    api::OperationView view;
    view.operation.id = {id};
    view.operation.state = state;
    view.batchesTotal = batches;
    return view;
}

api::BatchView batch(qint64 id, qint64 operationId, BatchStage stage, int number = 1)
{
    api::BatchView view;
    view.batch.id = {id};
    view.batch.operation = {operationId};
    view.batch.number = number;
    view.batch.firstOrdinal = 0;
    view.batch.lastOrdinal = 999;
    view.batch.counts.claimed = 1000;
    view.batch.stage = stage;
    view.batch.stagingId = QStringLiteral("41aa0011");
    return view;
}

const models::BoardColumn &column(const std::array<models::BoardColumn, BatchBoard::stages> &all, BatchStage stage)
{
    return all[size_t(stage)];
}

} // namespace

void TestBatchBoard::cardsLieInTheColumnOfTheirStage()
{
    api::Snapshot snapshot;
    snapshot.operations = {operation(1, OperationState::Running, 4)};
    snapshot.batches = {batch(1, 1, BatchStage::Done, 1), batch(3, 1, BatchStage::Forwarding, 3)};
    snapshot.batches.last().batch.stagedCount = 1000;
    snapshot.batches.last().forwarded = 318;
    const auto columns = BatchBoard::columns(snapshot, {1});
    QCOMPARE(column(columns, BatchStage::Forwarding).count, 1);
    const models::BatchCard &card = column(columns, BatchStage::Forwarding).cards.first();
    QCOMPARE(card.title, QStringLiteral("Batch 3 of 4 · 1,000"));
    QCOMPARE(card.progressText, QStringLiteral("318 / 1,000"));
    QCOMPARE(card.progress, std::optional(0.318));
    QCOMPARE(card.stagingId, QStringLiteral("41aa"));
    QCOMPARE(column(columns, BatchStage::Done).count, 1);
    QCOMPARE(column(columns, BatchStage::MarkingDocuments).count, 0);
}

void TestBatchBoard::onlyTheFollowedOperationIsShown()
{
    api::Snapshot snapshot;
    snapshot.operations = {operation(1, OperationState::Running, 1), operation(2, OperationState::Running, 1)};
    snapshot.batches = {batch(1, 1, BatchStage::Staging), batch(2, 2, BatchStage::Staging)};
    QCOMPARE(column(BatchBoard::columns(snapshot, {2}), BatchStage::Staging).cards.first().batch, core::BatchId{2});
    QCOMPARE(column(BatchBoard::columns(snapshot, {9}), BatchStage::Staging).count, 0);
}

void TestBatchBoard::aWaitingBatchSaysWhy()
{
    api::Snapshot snapshot;
    snapshot.operations = {operation(1, OperationState::Running, 4)};
    api::BatchView waiting = batch(4, 1, BatchStage::Staging, 4);
    waiting.staged = 1000;
    waiting.waitingReason = QStringLiteral("waits for batch 3");
    snapshot.batches = {waiting};
    const auto columns = BatchBoard::columns(snapshot, {1});
    const models::BatchCard &card = column(columns, BatchStage::Staging).cards.first();
    QVERIFY(card.waiting);
    QCOMPARE(card.line, QStringLiteral("waits for batch 3"));
    QVERIFY2(!card.progress, "a batch that is staged whole needs no bar");
}

void TestBatchBoard::doneCardsCountWhatWasNotSent()
{
    api::Snapshot snapshot;
    snapshot.operations = {operation(1, OperationState::Running, 2)};
    api::BatchView done = batch(1, 1, BatchStage::Done);
    done.batch.counts.claimed = 0;
    done.batch.counts.sent = 998;
    done.batch.counts.ejected = 1;
    done.batch.counts.skipped = 1;
    snapshot.batches = {done};
    const auto columns = BatchBoard::columns(snapshot, {1});
    const models::BatchCard &card = column(columns, BatchStage::Done).cards.first();
    QCOMPARE(card.title, QStringLiteral("Batch 1 · 998 sent"));
    QCOMPARE(card.line, QStringLiteral("1 skipped · 1 ejected"));
    QVERIFY(card.troubled);
    snapshot.batches[0].batch.counts.ejected = 0;
    snapshot.batches[0].batch.counts.skipped = 0;
    QCOMPARE(column(BatchBoard::columns(snapshot, {1}), BatchStage::Done).cards.first().line,
             QStringLiteral("all sent"));
    QVERIFY(!column(BatchBoard::columns(snapshot, {1}), BatchStage::Done).cards.first().sentNothing);
    snapshot.batches[0].batch.counts = {};
    snapshot.batches[0].batch.counts.cancelled = 1000;
    const auto cancelled = BatchBoard::columns(snapshot, {1});
    QVERIFY(column(cancelled, BatchStage::Done).cards.first().sentNothing);
    QVERIFY(column(cancelled, BatchStage::Done).cards.first().line.contains(QStringLiteral("1,000")));
}

void TestBatchBoard::aCardThatSentNothingSaysSo()
{
    api::Snapshot snapshot;
    snapshot.operations = {operation(1, OperationState::Cancelled, 2)};
    snapshot.batches = {batch(1, 1, BatchStage::Done), batch(2, 1, BatchStage::Done, 2)};
    snapshot.batches[0].batch.counts = {};
    snapshot.batches[0].batch.counts.cancelled = 1000;
    snapshot.batches[1].batch.counts = {};
    snapshot.batches[1].batch.counts.sent = 1000;
    const auto columns = BatchBoard::columns(snapshot, {1});
    const QList<models::BatchCard> &cards = column(columns, BatchStage::Done).cards;
    QVERIFY(cards.first().sentNothing);
    QCOMPARE(cards.first().line, QStringLiteral("1,000 cancelled"));
    QVERIFY(!cards.last().sentNothing);
}

void TestBatchBoard::moreThanTwentyCardsBecomeANumber()
{
    api::Snapshot snapshot;
    snapshot.operations = {operation(1, OperationState::Running, 30)};
    for (int i = 1; i <= 30; ++i)
        snapshot.batches.append(batch(i, 1, BatchStage::Staging, i));
    const auto columns = BatchBoard::columns(snapshot, {1});
    QCOMPARE(column(columns, BatchStage::Staging).cards.size(), BatchBoard::cardsShown);
    QCOMPARE(column(columns, BatchStage::Staging).more, 10);
}

void TestBatchBoard::batchesThatLeftTheSnapshotAreStillCountedDone()
{
    api::Snapshot snapshot;
    api::OperationView view = operation(1, OperationState::Running, 100);
    view.batchesDone = 90;
    snapshot.operations = {view};
    snapshot.batches = {batch(90, 1, BatchStage::Done, 90)};
    const auto columns = BatchBoard::columns(snapshot, {1});
    QCOMPARE(column(columns, BatchStage::Done).count, 90);
    QCOMPARE(column(columns, BatchStage::Done).more, 89);
}

void TestBatchBoard::theNewestRunningOperationIsFollowed()
{
    api::Snapshot snapshot;
    QCOMPARE(BatchBoard::newest(snapshot), core::OperationId{});
    snapshot.operations = {operation(1, OperationState::Running, 1), operation(2, OperationState::Paused, 1),
                           operation(3, OperationState::Completed, 1)};
    QCOMPARE(BatchBoard::newest(snapshot), core::OperationId{2});
    snapshot.operations = {operation(1, OperationState::Cancelled, 1), operation(3, OperationState::Completed, 1)};
    QCOMPARE(BatchBoard::newest(snapshot), core::OperationId{3});
}

void TestBatchBoard::paceIsSilentWhenNothingMoves()
{
    api::OperationView view = operation(1, OperationState::Completed, 1);
    view.messagesPerSecond = 812;
    view.timeLeft = std::chrono::seconds(1);
    QCOMPARE(BatchBoard::pace(view), QString());
    view.operation.state = OperationState::Running;
    QCOMPARE(BatchBoard::pace(view), QStringLiteral("812 messages/s · 1 s left"));
    view.operation.state = OperationState::Paused;
    view.timeLeft.reset();
    QCOMPARE(BatchBoard::pace(view), QStringLiteral("paused"));
}

void TestBatchBoard::theRestIsCountedInBatches()
{
    api::OperationView view = operation(1, OperationState::Running, 17);
    view.batchesDone = 14;
    QCOMPARE(BatchBoard::batchesLeft(view), QStringLiteral("3 of 17 batches left"));
    view.operation.state = OperationState::Paused;
    QCOMPARE(BatchBoard::batchesLeft(view), QStringLiteral("3 of 17 batches left"));
    view.batchesDone = 18; // the estimate was too low
    QCOMPARE(BatchBoard::batchesLeft(view), QStringLiteral("0 of 17 batches left"));
    view.operation.state = OperationState::Cancelled;
    QCOMPARE(BatchBoard::batchesLeft(view), QString());
}

REDRIVE_TEST(TestBatchBoard)
#include "tst_batchboard.moc"
