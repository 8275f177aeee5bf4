#include "backend/records/ledger/apply.h"

namespace records {

namespace {

MessageStatus changed(MessageStatus now, MessageChange change)
{
    switch (change) {
    case MessageChange::Issued:
        return now == MessageStatus::Unresolved ? MessageStatus::RetryIssued : now;
    case MessageChange::Freed:
        return now == MessageStatus::RetryIssued ? MessageStatus::Unresolved : now;
    case MessageChange::Released:
        return now == MessageStatus::RetryIssued ? MessageStatus::Released : now;
    case MessageChange::Resolved:
        return now == MessageStatus::Unresolved || now == MessageStatus::RetryIssued || now == MessageStatus::Unknown
                   ? MessageStatus::Resolved
                   : now;
    case MessageChange::Stays:
        break;
    }
    return now;
}

Claim changed(Claim now, ClaimChange change)
{
    switch (change) {
    case ClaimChange::Taken:
        return Claim::Own;
    case ClaimChange::Ends:
        return now == Claim::Own ? Claim::Ended : now;
    case ClaimChange::Stays:
        break;
    }
    return now;
}

} // namespace

Fate apply(const Fate &fate, MemberEvent event, const Transition &transition)
{
    Fate after = fate;
    after.outcome = transition.to.value_or(fate.outcome);
    after.claim = changed(fate.claim, transition.claim);
    // What is another retry's stays away.
    if (transition.message != MessageChange::Freed || fate.claim == Claim::Own)
        after.message = changed(fate.message, transition.message);
    // The first decision stays: a later acknowledgement does not replace what a person settled.
    if (fate.closure == ClaimEndReason::None)
        after.closure = closureOf(event);
    after.batched = fate.batched || transition.marks.contains(MemberMark::NewBatch);
    if (transition.marks.contains(MemberMark::NewBatch))
        after.viaQueue = false; // its new batch is not staged yet
    if (transition.marks.contains(MemberMark::Intent))
        after.intent = true;
    if (after.outcome != Outcome::Staged || transition.marks.contains(MemberMark::NoIntent))
        after.intent = false;
    after.cameBack = fate.cameBack || transition.marks.contains(MemberMark::CameBack);
    // Two copies are at the destination then. Not later: the record of a message that came back is no possible duplicate
    // any more.
    const bool arrives =
        (after.outcome == Outcome::Sent && fate.outcome != Outcome::Sent) || after.cameBack != fate.cameBack;
    after.possibleDuplicate = fate.possibleDuplicate || transition.marks.contains(MemberMark::PossibleDuplicate)
                              || (arrives && fate.earlierCopy);
    return after;
}

std::optional<Fate> apply(const Fate &fate, MemberEvent event)
{
    const Transition *transition = transitionOf(fate, event);
    return transition == nullptr ? std::optional<Fate>() : apply(fate, event, *transition);
}

} // namespace records
