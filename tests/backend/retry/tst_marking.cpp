// The session id of a batch says whose it is: a start adopts what another session left marking, and no batch of its own.
#include "backend/retry/staging/marking.h"
#include "tests/backend/retry/retrystorefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

#include <algorithm>

using records::BatchStage;
using test::must;

namespace {

const QString ours = QStringLiteral("session"); // as the fixture says
const QString earlier = QStringLiteral("earlier");

struct Bench
{
    // A batch that was left in the middle of step claim.
    core::BatchId leave(const QString &session)
    {
        core::BatchId id;
        fixture.transact(
            [&](store::Session &store) { id = must(store.staging().addBatch(operation, session, 2)).value().id; });
        return id;
    }
    bool isMarking(core::BatchId id)
    {
        BatchStage stage{};
        fixture.transact([&](store::Session &store) { stage = must(store.retryBatches().load(id)).stage; });
        return stage == BatchStage::MarkingDocuments;
    }
    qint64 claimed(core::BatchId id)
    {
        qint64 count = 0;
        fixture.transact([&](store::Session &store) {
            const auto members = must(store.retryBatches().membersOf(id));
            count = std::count_if(members.cbegin(), members.cend(), [](const store::RetryMember &member) {
                return member.outcome == records::Outcome::Claimed;
            });
        });
        return count;
    }

    test::RetryStoreFixture fixture;
    core::OperationId operation = fixture.addOperation(8);
    retry::ProcessorContext context{fixture.connection, fixture.dependencies()};
    retry::Gates gates{context};
    retry::RestingBatches resting{context};
    retry::Marking marking{context, gates, resting};
};

} // namespace

class TestMarking final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyBatchesOfAnotherSessionAreAdopted()
    {
        Bench bench;
        const core::BatchId own = bench.leave(ours);
        const core::BatchId orphan = bench.leave(earlier);
        const core::BatchId older = bench.leave(QString(earlier + QLatin1Char('2')));
        must(bench.marking.adoptOrphans());
        QVERIFY(bench.isMarking(own));
        QCOMPARE(bench.claimed(own), 0);
        for (const core::BatchId adopted : {orphan, older}) {
            QVERIFY(!bench.isMarking(adopted));
            QCOMPARE(bench.claimed(adopted), 2); // all that its ordinals say: nobody has to retry the rest
        }
    }

    void whatATransactionOfThisSessionLeftIsFinishedByItself()
    {
        Bench bench;
        const core::BatchId own = bench.leave(ours);
        const core::BatchId orphan = bench.leave(earlier);
        must(bench.marking.finishOwnClaims());
        QVERIFY(!bench.isMarking(own));
        QCOMPARE(bench.claimed(own), 2);
        QVERIFY(bench.isMarking(orphan));
    }

    void aNewBatchHasTheSessionOfItsStart()
    {
        Bench bench;
        QVERIFY(must(bench.marking.markNext()));
        bench.fixture.transact([&](store::Session &store) {
            const auto batches = must(store.retryBatches().ofOperation(bench.operation));
            QCOMPARE(batches.size(), 1);
            QCOMPARE(batches.first().session, ours);
        });
    }
};

REDRIVE_TEST(TestMarking)
#include "tst_marking.moc"
