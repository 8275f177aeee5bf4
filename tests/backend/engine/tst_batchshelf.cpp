// Batches are only read where they can have changed.
#include "backend/engine/batchshelf.h"

#include <QTest>

namespace {

struct Store
{
    QList<records::RetryBatch> batches;
    int reads = 0;
    engine::BatchShelf shelf;

    engine::BatchShelf::Batches of(const records::RetryOperation &operation)
    {
        const auto read = [this](core::OperationId) -> core::Result<QList<records::RetryBatch>> {
            ++reads;
            return batches;
        };
        return shelf.of(operation, read).value();
    }
};

records::RetryOperation operation(bool ended)
{
    records::RetryOperation made;
    made.id = {1};
    made.counts.sent = 10;
    if (ended)
        made.finished = core::fromMs(1);
    return made;
}

QList<records::RetryBatch> batches(int done, int live)
{
    QList<records::RetryBatch> made;
    for (int i = 1; i <= done + live; ++i) {
        records::RetryBatch batch;
        batch.id = {i};
        batch.stage = i <= done ? records::BatchStage::Done : records::BatchStage::Staging;
        made.append(batch);
    }
    return made;
}

} // namespace

class TestBatchShelf final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void batchesAreCountedAndTheNewestDoneAreKept()
    {
        Store store;
        store.batches = batches(30, 4);
        const engine::BatchShelf::Batches shown = store.of(operation(false));
        QCOMPARE(shown.total, 34);
        QCOMPARE(shown.done, 30);
        QCOMPARE(shown.newestDone.size(), engine::BatchShelf::doneShown);
        QCOMPARE(shown.newestDone.first().id, core::BatchId{30});
    }

    void liveOperationsAreReadEachTime()
    {
        Store store;
        store.batches = batches(1, 1);
        static_cast<void>(store.of(operation(false)));
        store.batches = batches(2, 0);
        QCOMPARE(store.of(operation(false)).done, 2);
        QCOMPARE(store.reads, 2);
    }

    void endedOperationsAreReadOnceUntilTheirCountsChange()
    {
        Store store;
        store.batches = batches(2, 0);
        records::RetryOperation ended = operation(true);
        for (int i = 0; i < 5; ++i)
            QCOMPARE(store.of(ended).done, 2);
        QCOMPARE(store.reads, 1);
        ended.counts.cameBack = 1;
        static_cast<void>(store.of(ended));
        QCOMPARE(store.reads, 2);
    }

    void anOperationThatGoesOnIsReadAgain()
    {
        Store store;
        store.batches = batches(2, 0);
        static_cast<void>(store.of(operation(true)));
        store.batches = batches(2, 1);
        QCOMPARE(store.of(operation(false)).total, 3); // something in doubt is sent again
        QCOMPARE(store.of(operation(true)).total, 3);
        QCOMPARE(store.reads, 3);
    }

    void whatIsNotShownIsForgotten()
    {
        Store store;
        static_cast<void>(store.of(operation(true)));
        store.shelf.forgetOthers({});
        static_cast<void>(store.of(operation(true)));
        QCOMPARE(store.reads, 2);
    }

    void anErrorIsPassedOnAndNothingIsKept()
    {
        engine::BatchShelf shelf;
        const auto fails = [](core::OperationId) -> core::Result<QList<records::RetryBatch>> {
            return core::fail(core::ErrorKind::StoreFailed, QStringLiteral("no"));
        };
        QVERIFY(!shelf.of(operation(true), fails));
        const auto reads = [](core::OperationId) -> core::Result<QList<records::RetryBatch>> { return batches(1, 0); };
        QCOMPARE(shelf.of(operation(true), reads)->done, 1);
    }
};

QTEST_GUILESS_MAIN(TestBatchShelf)
#include "tst_batchshelf.moc"
