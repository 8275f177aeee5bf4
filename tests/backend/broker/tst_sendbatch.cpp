// What travels together, and what goes alone when a call refuses all it had.
#include "backend/broker/sendbatch.h"
#include "tests/support/testmain/testmain.h"

#include <QCoro/QCoroTask>
#include <QTest>

using broker::BatchItem;
using broker::SendBatch;
using broker::SendOutcome;
using broker::Verdict;

namespace {

BatchItem piece(const char *queue, qint64 bytes)
{
    BatchItem made;
    made.queue = QLatin1String(queue);
    made.bytes = bytes;
    return made;
}

QList<QList<qsizetype>> membersOf(const std::vector<SendBatch> &batches)
{
    QList<QList<qsizetype>> members;
    for (const SendBatch &batch : batches)
        members.append(batch.members);
    return members;
}

} // namespace

class TestSendBatch final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachQueueHasItsOwn()
    {
        const QList<BatchItem> pieces{piece("a", 1), piece("b", 1), piece("a", 1), piece("b", 1), piece("a", 1)};
        QCOMPARE(membersOf(broker::packed(pieces, {2, 100})), (QList<QList<qsizetype>>{{0, 2}, {1, 3}, {4}}));
    }

    void boundsAreKept()
    {
        QList<BatchItem> pieces{piece("a", 60), piece("a", 40), piece("a", 1), piece("a", 500), piece("a", 1)};
        QCOMPARE(membersOf(broker::packed(pieces, {10, 100})), (QList<QList<qsizetype>>{{0, 1}, {2}, {3}, {4}}));
        pieces[1].isAlone = true;
        pieces[3].isOut = true;
        QCOMPARE(membersOf(broker::packed(pieces, {10, 100})), (QList<QList<qsizetype>>{{0, 2, 4}, {1}}));
    }

    void ofACallThatRefusesAllEachGoesAlone()
    {
        const QList<BatchItem> pieces{piece("a", 1), piece("a", 1), piece("a", 1), piece("b", 1), piece("b", 1)};
        QList<SendOutcome> outcomes(pieces.size());
        QList<QList<qsizetype>> calls;
        const std::function<core::Task<QList<SendOutcome>>(SendBatch)> deliver =
            [&calls](SendBatch batch) -> core::Task<QList<SendOutcome>> {
            calls.append(batch.members);
            const bool refuses = batch.queue == QLatin1String("a") && batch.members.contains(1);
            QList<SendOutcome> all(batch.members.size(),
                                   SendOutcome{refuses ? Verdict::Rejected : Verdict::Accepted, {}});
            if (batch.queue == QLatin1String("b"))
                all.first().verdict = Verdict::Rejected; // for itself
            co_return all;
        };
        QCoro::waitFor(broker::deliverAll(broker::packed(pieces, {10, 100}), 1, deliver, outcomes));
        QCOMPARE(calls, (QList<QList<qsizetype>>{{0, 1, 2}, {0}, {1}, {2}, {3, 4}}));
        QList<bool> accepted;
        for (const SendOutcome &outcome : outcomes)
            accepted.append(outcome.verdict == Verdict::Accepted);
        QCOMPARE(accepted, (QList<bool>{true, false, true, false, true}));
    }
};

REDRIVE_TEST(TestSendBatch)
#include "tst_sendbatch.moc"
