#include "backend/records/rules/memberrules.h"
#include "tests/support/testmain/testmain.h"

#include <QSet>
#include <QTest>

using records::BatchStage;
using records::ClaimEndReason;
using records::MessageStatus;
using records::Outcome;

namespace {

const QList<Outcome> outcomes{Outcome::Pending, Outcome::Claimed, Outcome::Staged,  Outcome::Sent,
                              Outcome::Skipped, Outcome::Ejected, Outcome::InDoubt, Outcome::Cancelled};

template<typename Rule>
QList<Outcome> thatAre(Rule rule)
{
    QList<Outcome> found;
    for (const Outcome one : outcomes) {
        if (rule(one))
            found.append(one);
    }
    return found;
}

records::RetryBatch batchIn(BatchStage stage, const char *place)
{
    records::RetryBatch batch;
    batch.stage = stage;
    batch.place = QString::fromLatin1(place);
    return batch;
}

} // namespace

class TestMemberRules final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatTheBrokerDoesNotHaveIsCancelled()
    {
        QVERIFY(records::mayBeCancelled(batchIn(BatchStage::MarkingDocuments, "")));
        QVERIFY(records::mayBeCancelled(batchIn(BatchStage::Staging, "place")));
        QVERIFY(!records::mayBeCancelled(batchIn(BatchStage::Forwarding, "place")));
        QVERIFY(records::mayBeCancelled(batchIn(BatchStage::Forwarding, ""))); // the intent log
        QVERIFY(!records::mayBeCancelled(batchIn(BatchStage::Done, "")));
    }

    void onlyWhatSendingHasBegunForMayBeAway()
    {
        const auto away = [](bool viaQueue, bool twice, bool intent) {
            return thatAre([&](Outcome outcome) {
                records::Fate fate;
                fate.outcome = outcome;
                fate.viaQueue = viaQueue;
                fate.possibleDuplicate = twice;
                fate.intent = intent;
                return records::mayBeAway(fate);
            });
        };
        const QList<Outcome> sending{Outcome::Staged, Outcome::Sent, Outcome::InDoubt};
        QVERIFY(away(true, false, false) == sending);
        QVERIFY(away(false, false, false) == (QList<Outcome>{Outcome::Sent, Outcome::InDoubt}));
        QVERIFY(away(false, false, true) == sending);
        const QList<Outcome> sentBefore{Outcome::Claimed, Outcome::Staged, Outcome::Sent, Outcome::InDoubt};
        QVERIFY(away(false, true, false) == sentBefore);
    }

    void anOutcomeIsOpenOrHasEnded()
    {
        records::OutcomeCounts counts;
        counts.pending = counts.claimed = counts.staged = 1;
        QCOMPARE(counts.open(), 3);
        QCOMPARE(counts.ended(), 0);
        const QList<Outcome> open = thatAre([](Outcome outcome) { return !records::hasEnded(outcome); });
        QVERIFY(open == (QList<Outcome>{Outcome::Pending, Outcome::Claimed, Outcome::Staged}));
        const QList<Outcome> there = thatAre([](Outcome outcome) { return records::mayHaveArrived(outcome); });
        QVERIFY(there == (QList<Outcome>{Outcome::Sent, Outcome::InDoubt}));
    }

    void everySkippedMessageHasAReasonOfItsOwn()
    {
        QSet<QString> reasons;
        for (const MessageStatus status : records::messageStatuses)
            reasons.insert(records::whySkipped(status));
        QCOMPARE(reasons.size(), qsizetype(records::messageStatuses.size()));
        QCOMPARE(records::whySkipped(MessageStatus::Unresolved), records::claimedByAnother());
    }

    void theEndOfAClaimSaysWhatIsKnown()
    {
        int processed = 0;
        for (int value = 0; value <= int(lastOf(ClaimEndReason{})); ++value) {
            const auto reason = ClaimEndReason(value);
            processed += records::provesProcessed(reason) ? 1 : 0;
            QVERIFY(!(records::provesProcessed(reason) && records::leavesDoubt(reason)));
            QVERIFY(!records::isDisprovedByReturn(reason) || records::provesProcessed(reason));
        }
        QCOMPARE(processed, 3);
        QVERIFY(records::provesProcessed(ClaimEndReason::Acknowledged));
        QVERIFY(!records::isDisprovedByReturn(ClaimEndReason::Acknowledged));
        QVERIFY(records::isDisprovedByReturn(ClaimEndReason::Quiet));
        QVERIFY(records::leavesDoubt(ClaimEndReason::TakenBack));
        QVERIFY(records::leavesDoubt(ClaimEndReason::Restored));
        QVERIFY(!records::leavesDoubt(ClaimEndReason::FailedAgain));
    }
};

REDRIVE_TEST(TestMemberRules)
#include "tst_memberrules.moc"
