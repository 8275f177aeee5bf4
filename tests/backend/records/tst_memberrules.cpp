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
        records::RetryMember member;
        member.outcome = one;
        if (rule(member))
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
    void whatCameBackWasSentWhateverElseWasToldOfIt()
    {
        QVERIFY(records::endOf(Outcome::Ejected, false, false) == Outcome::Ejected);
        QVERIFY(records::endOf(Outcome::Cancelled, true, false) == Outcome::InDoubt);
        QVERIFY(records::endOf(Outcome::Cancelled, true, true) == Outcome::Sent);
        QVERIFY(records::endOf(Outcome::Skipped, false, true) == Outcome::Sent);
    }

    void onlyWhatTheBrokerDoesNotHaveIsCancelled()
    {
        QVERIFY(records::mayBeCancelled(batchIn(BatchStage::MarkingDocuments, "")));
        QVERIFY(records::mayBeCancelled(batchIn(BatchStage::Staging, "place")));
        QVERIFY(!records::mayBeCancelled(batchIn(BatchStage::Forwarding, "place")));
        QVERIFY(records::mayBeCancelled(batchIn(BatchStage::Forwarding, ""))); // the intent log
        QVERIFY(!records::mayBeCancelled(batchIn(BatchStage::Done, "")));
        const QList<Outcome> open{Outcome::Pending, Outcome::Claimed, Outcome::Staged};
        QVERIFY(thatAre([](const records::RetryMember &member) { return records::mayBeCancelled(member); }) == open);
        records::RetryMember sending;
        sending.outcome = Outcome::Staged;
        sending.intent = true;
        QVERIFY(!records::mayBeCancelled(sending));
    }

    void whatMayBeAtItsDestinationIsNotSetAside()
    {
        const QList<Outcome> waiting{Outcome::Claimed, Outcome::Staged};
        QVERIFY(thatAre(records::mayBeSetAside) == waiting);
        records::RetryMember member;
        member.outcome = Outcome::Staged;
        member.intent = true;
        QVERIFY(!records::mayBeSetAside(member));
        member.intent = false;
        member.cameBack = true;
        QVERIFY(!records::mayBeSetAside(member));
    }

    void onlyWhatSendingHasBegunForMayBeAway()
    {
        const auto away = [](const char *place, bool twice) {
            return thatAre([place, twice](records::RetryMember member) {
                member.possibleDuplicate = twice;
                return records::mayBeAway(member, batchIn(BatchStage::Forwarding, place));
            });
        };
        QVERIFY(away("place", false) == (QList<Outcome>{Outcome::Staged, Outcome::Sent, Outcome::InDoubt}));
        QVERIFY(away("", false) == (QList<Outcome>{Outcome::Sent, Outcome::InDoubt}));
        const QList<Outcome> sentBefore{Outcome::Claimed, Outcome::Staged, Outcome::Sent, Outcome::InDoubt};
        QVERIFY(away("", true) == sentBefore);
        records::RetryMember sending;
        sending.outcome = Outcome::Staged;
        sending.intent = true;
        QVERIFY(records::mayBeAway(sending, batchIn(BatchStage::Forwarding, "")));
    }

    void whatWasSeenWasSentUnlessItsCopyIsStaged()
    {
        const auto sent = [](const char *place) {
            return thatAre([place](const records::RetryMember &member) {
                return records::isSentWhenSeen(member, batchIn(BatchStage::Forwarding, place));
            });
        };
        QVERIFY(sent("place") == (QList<Outcome>{Outcome::Claimed, Outcome::InDoubt}));
        QVERIFY(sent("") == (QList<Outcome>{Outcome::Claimed, Outcome::Staged, Outcome::InDoubt}));
    }

    void anOutcomeIsOpenOrHasEnded()
    {
        records::OutcomeCounts counts;
        counts.pending = counts.claimed = counts.staged = 1;
        QCOMPARE(counts.open(), 3);
        QCOMPARE(counts.ended(), 0);
        const QList<Outcome> open = thatAre([](const auto &member) { return !records::hasEnded(member.outcome); });
        QVERIFY(open == (QList<Outcome>{Outcome::Pending, Outcome::Claimed, Outcome::Staged}));
        const QList<Outcome> there =
            thatAre([](const auto &member) { return records::mayHaveArrived(member.outcome); });
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
