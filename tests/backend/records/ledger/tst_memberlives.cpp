// What became of a message of a retry, as people ask for it: one life in the ledger for each question.
#include "backend/records/ledger/apply.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::Claim;
using records::ClaimEndReason;
using records::Fate;
using records::MessageStatus;
using records::Outcome;
using On = records::MemberEvent;

namespace {

Fate after(Fate fate, const QList<On> &events)
{
    for (const On event : events)
        fate = records::apply(fate, event).value_or(fate);
    return fate;
}

Fate claimed()
{
    return after({}, {On::Batched, On::Claiming});
}

Fate stagedInQueue()
{
    Fate fate = claimed();
    fate.viaQueue = true;
    return after(fate, {On::StagingNamed, On::Staged});
}

Fate stagedInLog()
{
    return after(claimed(), {On::StagingNamed, On::Staged});
}

Fate inDoubt()
{
    return after(stagedInLog(), {On::IntentStored, On::Unanswered});
}

} // namespace

class TestMemberLives final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // "Its copy came back before its batch had ended. Can I retry it now?" Yes: its claim has ended. The member itself waits for
    // its batch, because the staging queue still has to be emptied.
    void cameBackWhileStagedInAQueue()
    {
        const Fate back = after(stagedInQueue(), {On::CameBack});
        QVERIFY(back.outcome == Outcome::Staged);
        QVERIFY(back.claim == Claim::Ended);
        QVERIFY(after(back, {On::SetAside}) == back);
        QVERIFY(after(back, {On::Unanswered}).outcome == Outcome::Sent);
        QVERIFY(after(back, {On::Ejected}).outcome == Outcome::Sent);
    }

    void cameBackWhileTheIntentLogSends()
    {
        const Fate back = after(stagedInLog(), {On::IntentStored, On::CameBack});
        QVERIFY(back.outcome == Outcome::Sent);
        QVERIFY(!back.intent);
        QVERIFY(back.claim == Claim::Ended);
    }

    // "I cancelled the retry, why was this message sent?" The broker had its copy, or may have had it.
    void cancelledAfterTheBrokerMayHaveIt()
    {
        QVERIFY(!records::apply(stagedInQueue(), On::Cancelled));
        const Fate sending = after(stagedInLog(), {On::IntentStored});
        QVERIFY(!records::apply(sending, On::Cancelled));
        const Fate unsent = after(stagedInLog(), {On::Cancelled});
        QVERIFY(unsent.outcome == Outcome::Cancelled);
        QVERIFY(unsent.message == MessageStatus::Unresolved);
        QVERIFY(unsent.claim == Claim::Ended);
        // There was no answer the first time.
        const Fate again = after(sending, {On::AcceptedPerhaps, On::Cancelled});
        QVERIFY(again.outcome == Outcome::InDoubt);
        QVERIFY(again.claim == Claim::Own);
    }

    // "The broker was interrupted, and then refused the copy." An earlier copy may have arrived.
    void refusedAfterAnInterruption()
    {
        const Fate refused = after(stagedInQueue(), {On::Interrupted, On::Ejected});
        QVERIFY(refused.outcome == Outcome::InDoubt);
        QVERIFY(refused.message == MessageStatus::RetryIssued);
        QVERIFY(after(stagedInQueue(), {On::Ejected}).outcome == Outcome::Ejected);
    }

    // "I took it back, and then its endpoint confirmed the first copy." The decision stays; the next retry may be the second copy.
    void takenBack()
    {
        const Fate back = after(inDoubt(), {On::TakenBack});
        QVERIFY(back.outcome == Outcome::Sent);
        QVERIFY(back.message == MessageStatus::Unresolved);
        QVERIFY(back.claim == Claim::Ended);
        QVERIFY(back.possibleDuplicate);
        QVERIFY(back.closure == ClaimEndReason::TakenBack);
        QVERIFY(!records::apply(back, On::Acknowledged));
        QVERIFY(!records::apply(back, On::CameBack));
        Fate next;
        next.earlierCopy = true;
        QVERIFY(after(next, {On::Batched, On::Claiming, On::Staged, On::IntentStored, On::Accepted}).possibleDuplicate);
    }

    // "I want it back, it is just being sent." Not before its batch has an answer.
    void decidedWhileItIsOnItsWay()
    {
        for (const Fate &fate : {stagedInQueue(), stagedInLog(), after(stagedInLog(), {On::IntentStored})}) {
            for (const On said : {On::ResolvedByHand, On::TakenBack, On::AssumedSent, On::SentAgain})
                QVERIFY(!records::apply(fate, said));
        }
    }

    // "I resolved it, and it came back all the same." It counts as came back, once; who resolved it stays.
    void resolvedAndCameBack()
    {
        const Fate back = after(inDoubt(), {On::ResolvedByHand, On::CameBack});
        QVERIFY(back.cameBack);
        QVERIFY(back.closure == ClaimEndReason::ByHand);
        QVERIFY(!records::apply(back, On::CameBack));
    }

    // "Two retries have the same message." The first claim wins, and the other one leaves it out for good.
    void claimedByAnother()
    {
        Fate late = after({}, {On::Batched});
        late.claim = Claim::Anothers;
        late = after(late, {On::Claiming});
        QVERIFY(late.outcome == Outcome::Skipped);
        late.claim = Claim::Free;
        QVERIFY(after(late, {On::Claiming, On::StagingNamed, On::Ejected, On::Cancelled, On::CameBack, On::TakenBack})
                == late);
    }

    // "I cancelled a retry that had not begun, while another one has the message." The other one goes on.
    void cancelledBesideAnother()
    {
        Fate waiting = after({}, {On::Batched});
        waiting.claim = Claim::Anothers;
        waiting.message = MessageStatus::RetryIssued;
        const Fate cancelled = after(waiting, {On::Cancelled});
        QVERIFY(cancelled.outcome == Outcome::Cancelled);
        QVERIFY(cancelled.message == MessageStatus::RetryIssued);
        QVERIFY(cancelled.claim == Claim::Anothers);
    }

    // "I archived it while its retry waited." It is left out; if it was sent before, a person must settle the doubt.
    void archivedBeforeItWasStaged()
    {
        Fate archived = claimed();
        archived.message = MessageStatus::Archived;
        const Fate left = after(archived, {On::StagingNamed});
        QVERIFY(left.outcome == Outcome::Skipped);
        QVERIFY(left.message == MessageStatus::Archived);
        Fate again = after(inDoubt(), {On::SentAgain});
        QVERIFY(again.outcome == Outcome::Claimed);
        again.message = MessageStatus::Archived;
        again = after(again, {On::StagingNamed});
        QVERIFY(again.outcome == Outcome::InDoubt);
        QVERIFY(again.claim == Claim::Ended);
        QVERIFY(again.message == MessageStatus::Archived);
        QVERIFY(!records::apply(again, On::SentAgain));
        QVERIFY(after(again, {On::AssumedSent}).outcome == Outcome::Sent);
    }

    // "It is to be sent again, and the first copy came back before." Then it is not sent a second time.
    void cameBackBeforeItWasSentAgain()
    {
        const Fate back = after(inDoubt(), {On::SentAgain, On::CameBack});
        QVERIFY(back.outcome == Outcome::Sent);
        QVERIFY(!records::apply(back, On::Staged));
    }

    // "A copy of last week's retry failed just now." Intake stored it as a new failure; today's retry still has the message.
    void anEarlierCopyFailed()
    {
        Fate sent = after(stagedInQueue(), {On::Accepted});
        sent.message = MessageStatus::Unresolved;
        QVERIFY(after(sent, {On::EarlierFailed}).message == MessageStatus::RetryIssued);
        Fate ended = after(sent, {On::Acknowledged});
        ended.message = MessageStatus::Unresolved;
        QVERIFY(!records::apply(ended, On::EarlierFailed));
    }

    // "Where is what I released?" In its queue: nothing owns it, and nothing waits for news of it.
    void released()
    {
        const Fate given = after(stagedInQueue(), {On::Accepted, On::GivenBack});
        QVERIFY(given.message == MessageStatus::Released);
        QVERIFY(given.claim == Claim::Ended);
        QVERIFY(!records::apply(given, On::CameBack));
    }
};

REDRIVE_TEST(TestMemberLives)
#include "tst_memberlives.moc"
