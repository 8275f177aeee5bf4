#include "backend/records/rules/memberrules.h"

#include "backend/records/text.h"

namespace records {

bool mayBeCancelled(const RetryBatch &batch)
{
    switch (batch.stage) {
    case BatchStage::MarkingDocuments:
    case BatchStage::Staging:
        return true;
    case BatchStage::Forwarding:
        return batch.place.isEmpty(); // by the intent log: copies in a staging queue are with the broker
    case BatchStage::Done:
        return false;
    }
    return false; // the number comes from a damaged file
}

bool mayBeAway(const Fate &fate)
{
    switch (fate.outcome) {
    case Outcome::Claimed: // in doubt before, and sent again now
        return fate.possibleDuplicate;
    case Outcome::Staged:
        return fate.viaQueue || fate.intent || fate.possibleDuplicate;
    case Outcome::Sent:
    case Outcome::InDoubt:
        return true;
    case Outcome::Pending:
    case Outcome::Skipped:
    case Outcome::Ejected:
    case Outcome::Cancelled:
        return false;
    }
    return false; // the number comes from a damaged file
}

QString claimedByAnother()
{
    return Text::tr("Another retry has claimed it.");
}

QString cancelledInDoubt()
{
    return Text::tr("It was cancelled, and an earlier copy of it may have reached its destination.");
}

QString whySkipped(MessageStatus status)
{
    switch (status) {
    case MessageStatus::Archived:
        return Text::tr("The message was archived before it was sent.");
    case MessageStatus::Released:
        return Text::tr("The message was released before it was sent.");
    case MessageStatus::Resolved:
        return Text::tr("The message was resolved before it was sent.");
    case MessageStatus::RetryIssued:
        return Text::tr("Another retry already sent the message.");
    case MessageStatus::Unknown:
        return Text::tr("A backup was restored. It is unknown whether the message was sent since that backup.");
    case MessageStatus::Unresolved:
        break;
    }
    return claimedByAnother();
}

bool provesProcessed(ClaimEndReason reason)
{
    return reason == ClaimEndReason::Acknowledged || isDisprovedByReturn(reason);
}

bool isDisprovedByReturn(ClaimEndReason reason)
{
    return reason == ClaimEndReason::ByHand || reason == ClaimEndReason::Quiet;
}

bool leavesDoubt(ClaimEndReason reason)
{
    return reason == ClaimEndReason::TakenBack || reason == ClaimEndReason::Restored;
}

} // namespace records
