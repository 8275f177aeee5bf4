#include "backend/records/ledger/transitions.h"

#include "backend/records/rules/memberrules.h"

#include <algorithm>
#include <array>

namespace records {

namespace {

using On = MemberEvent;
using From = Outcome;
using Is = FateIs;
using Mark = MemberMark;

constexpr EnumSet<On> givenUp{On::StagingNamed, On::Ejected, On::Cancelled};

// clang-format off
constexpr std::array table{
    // A batch takes the member and claims its message.
    Transition{.on = {On::Batched}, .from = {From::Pending}, .when = {Is::Unbatched}, .marks = {Mark::NewBatch}},
    Transition{.on = {On::Claiming}, .from = {From::Pending}, .when = {Is::Batched, Is::ClaimFree}, .to = From::Claimed,
               .claim = ClaimChange::Taken},
    Transition{.on = {On::Claiming}, .from = {From::Pending}, .when = {Is::Batched}, .to = From::Skipped,
               .reason = ReasonChange::Given},

    // Its copy is staged.
    Transition{.on = {On::StagingNamed}, .from = {From::Claimed}, .when = {Is::ClaimOwn, Is::Unresolved}},
    Transition{.on = {On::StagingRefused}, .from = {From::Claimed}, .reason = ReasonChange::Given,
               .marks = {Mark::OneRefusalMore}},
    Transition{.on = {On::Staged}, .from = {From::Claimed}, .when = {Is::ClaimOwn, Is::Unresolved}, .to = From::Staged,
               .message = MessageChange::Issued, .reason = ReasonChange::Cleared},
    Transition{.on = {On::SetAside}, .from = {From::Claimed}, .marks = {Mark::NewBatch}},
    Transition{.on = {On::SetAside}, .from = {From::Staged}, .when = {Is::NoIntent, Is::Unseen}, .to = From::Claimed,
               .message = MessageChange::Freed, .marks = {Mark::NewBatch}},

    // Its copy is sent.
    Transition{.on = {On::IntentStored}, .from = {From::Staged}, .when = {Is::InIntentLog, Is::NoIntent},
               .marks = {Mark::Intent}},
    Transition{.on = {On::Accepted}, .from = {From::Staged}, .when = {Is::WithBroker}, .to = From::Sent,
               .reason = ReasonChange::Cleared},
    Transition{.on = {On::NotAccepted}, .from = {From::Staged}, .when = {Is::InIntentLog, Is::WithBroker},
               .marks = {Mark::NoIntent}},
    Transition{.on = {On::AcceptedPerhaps}, .from = {From::Staged}, .when = {Is::InIntentLog, Is::WithBroker},
               .marks = {Mark::NoIntent, Mark::PossibleDuplicate}},
    Transition{.on = {On::Unanswered}, .from = {From::Staged}, .when = {Is::WithBroker, Is::Unseen},
               .to = From::InDoubt, .reason = ReasonChange::Given},
    Transition{.on = {On::Unanswered}, .from = {From::Staged}, .when = {Is::WithBroker}, .to = From::Sent,
               .reason = ReasonChange::Cleared},
    Transition{.on = {On::Interrupted}, .from = {From::Staged}, .when = {Is::WithBroker},
               .marks = {Mark::PossibleDuplicate}},

    // It is given up. A copy that was sent before must not end as if it had never been sent.
    Transition{.on = {On::Cancelled}, .from = {From::Staged}, .when = {Is::WithBroker}, .isImpossible = true},
    Transition{.on = {On::Ejected}, .from = {From::Staged}, .when = {Is::InIntentLog, Is::NoIntent}, .isImpossible = true},
    Transition{.on = {On::StagingNamed}, .from = {From::Staged}, .isImpossible = true},
    Transition{.on = {On::Ejected}, .from = {From::Staged}, .when = {Is::Seen}, .to = From::Sent,
               .reason = ReasonChange::Cleared},
    Transition{.on = givenUp, .from = {From::Claimed, From::Staged}, .when = {Is::PossibleDuplicate, Is::Undecided},
               .to = From::InDoubt, .message = MessageChange::Issued, .reason = ReasonChange::Given},
    Transition{.on = givenUp, .from = {From::Claimed}, .when = {Is::PossibleDuplicate},
               .to = From::InDoubt, .claim = ClaimChange::Ends, .reason = ReasonChange::Given},
    Transition{.on = {On::StagingNamed}, .from = {From::Claimed}, .to = From::Skipped, .claim = ClaimChange::Ends,
               .message = MessageChange::Freed, .reason = ReasonChange::Given},
    Transition{.on = {On::Ejected}, .from = {From::Claimed, From::Staged}, .to = From::Ejected, .claim = ClaimChange::Ends,
               .message = MessageChange::Freed, .reason = ReasonChange::Given},
    Transition{.on = {On::Cancelled}, .from = {From::Pending}, .to = From::Cancelled, .reason = ReasonChange::Given},
    Transition{.on = {On::Cancelled}, .from = {From::Claimed, From::Staged}, .to = From::Cancelled, .claim = ClaimChange::Ends,
               .message = MessageChange::Freed, .reason = ReasonChange::Given},

    // Its batch has ended.
    Transition{.on = {On::GivenBack}, .from = {From::Sent}, .when = {Is::ClaimOwn}, .claim = ClaimChange::Ends,
               .message = MessageChange::Released},
    Transition{.on = {On::AssumedSent}, .from = {From::InDoubt}, .to = From::Sent},
    Transition{.on = {On::SentAgain}, .from = {From::InDoubt}, .when = {Is::ClaimOwn, Is::Issued}, .to = From::Claimed,
               .message = MessageChange::Freed,
               .marks = {Mark::NewBatch, Mark::PossibleDuplicate, Mark::NoRefusals}},

    // There is news of it.
    Transition{.on = {On::CameBack}, .from = {From::Claimed, From::InDoubt}, .when = {Is::AwaitingNews}, .to = From::Sent,
               .claim = ClaimChange::Ends, .reason = ReasonChange::Cleared, .marks = {Mark::CameBack}},
    Transition{.on = {On::CameBack}, .from = {From::Staged}, .when = {Is::InIntentLog, Is::AwaitingNews}, .to = From::Sent,
               .claim = ClaimChange::Ends, .reason = ReasonChange::Cleared, .marks = {Mark::CameBack}},
    Transition{.on = {On::CameBack}, .from = {From::Staged, From::Sent}, .when = {Is::AwaitingNews},
               .claim = ClaimChange::Ends, .marks = {Mark::CameBack}},
    Transition{.on = {On::Acknowledged}, .from = {From::Claimed, From::InDoubt}, .when = {Is::AwaitingNews}, .to = From::Sent,
               .claim = ClaimChange::Ends, .message = MessageChange::Resolved, .reason = ReasonChange::Cleared},
    Transition{.on = {On::Acknowledged}, .from = {From::Staged}, .when = {Is::InIntentLog, Is::AwaitingNews}, .to = From::Sent,
               .claim = ClaimChange::Ends, .message = MessageChange::Resolved, .reason = ReasonChange::Cleared},
    Transition{.on = {On::Acknowledged}, .from = {From::Staged, From::Sent}, .when = {Is::AwaitingNews},
               .claim = ClaimChange::Ends, .message = MessageChange::Resolved},
    Transition{.on = {On::ResolvedByHand}, .from = {From::Sent, From::InDoubt}, .when = {Is::ClaimOwn, Is::Issued},
               .to = From::Sent, .claim = ClaimChange::Ends, .message = MessageChange::Resolved,
               .reason = ReasonChange::Cleared},
    Transition{.on = {On::Quiet}, .from = {From::Sent}, .when = {Is::ClaimOwn, Is::Issued}, .claim = ClaimChange::Ends,
               .message = MessageChange::Resolved},
    Transition{.on = {On::FailedAgain}, .from = {From::Sent, From::InDoubt}, .when = {Is::ClaimOwn, Is::Issued},
               .to = From::Sent, .claim = ClaimChange::Ends, .message = MessageChange::Freed,
               .reason = ReasonChange::Cleared, .marks = {Mark::PossibleDuplicate}},
    // Only the reason still says that it may not have been sent.
    Transition{.on = {On::TakenBack, On::Restored}, .from = {From::Sent, From::InDoubt}, .when = {Is::ClaimOwn, Is::Issued},
               .to = From::Sent, .claim = ClaimChange::Ends, .message = MessageChange::Freed,
               .marks = {Mark::PossibleDuplicate}},
    Transition{.on = {On::EarlierFailed}, .from = {From::Staged, From::Sent, From::InDoubt}, .when = {Is::ClaimOwn},
               .message = MessageChange::Issued},
};
// clang-format on

template<typename Enum>
bool allHold(EnumSet<Enum> conditions, const Fate &fate)
{
    for (int i = 0; i <= int(lastOf(Enum{})); ++i) {
        if (conditions.contains(Enum(i)) && !holds(Enum(i), fate))
            return false;
    }
    return true;
}

} // namespace

bool holds(FateIs condition, const Fate &fate)
{
    switch (condition) {
    case Is::Unbatched:
        return !fate.batched;
    case Is::Batched:
        return fate.batched;
    case Is::ClaimFree:
        return fate.claim == Claim::Free || fate.claim == Claim::Ended;
    case Is::ClaimOwn:
        return fate.claim == Claim::Own;
    case Is::AwaitingNews:
        return fate.claim == Claim::Own
               || (fate.claim == Claim::Ended && isDisprovedByReturn(fate.closure) && !fate.cameBack);
    case Is::Unresolved:
        return fate.message == MessageStatus::Unresolved;
    case Is::Issued:
        return fate.message == MessageStatus::RetryIssued;
    case Is::Undecided:
        return fate.message == MessageStatus::Unresolved || fate.message == MessageStatus::RetryIssued;
    case Is::InIntentLog:
        return !fate.viaQueue;
    case Is::NoIntent:
        return !fate.intent;
    case Is::WithBroker:
        return fate.viaQueue || fate.intent;
    case Is::Seen:
        return fate.cameBack || fate.closure != ClaimEndReason::None;
    case Is::Unseen:
        return !holds(Is::Seen, fate);
    case Is::PossibleDuplicate:
        return fate.possibleDuplicate;
    }
    return false; // the number comes from nowhere
}

std::span<const Transition> transitions()
{
    return table;
}

bool applies(const Transition &row, const Fate &fate, MemberEvent event)
{
    return row.on.contains(event) && row.from.contains(fate.outcome) && allHold(row.when, fate);
}

const Transition *transitionOf(const Fate &fate, MemberEvent event)
{
    const auto *row =
        std::find_if(table.begin(), table.end(), [&](const Transition &one) { return applies(one, fate, event); });
    return row == table.end() || row->isImpossible ? nullptr : row;
}

ClaimEndReason closureOf(MemberEvent event)
{
    switch (event) {
    case On::Acknowledged:
        return ClaimEndReason::Acknowledged;
    case On::ResolvedByHand:
        return ClaimEndReason::ByHand;
    case On::TakenBack:
        return ClaimEndReason::TakenBack;
    case On::FailedAgain:
        return ClaimEndReason::FailedAgain;
    case On::Quiet:
        return ClaimEndReason::Quiet;
    case On::Restored:
        return ClaimEndReason::Restored;
    default:
        return ClaimEndReason::None;
    }
}

} // namespace records
