#include "backend/records/ledger/fate.h"

namespace records {

namespace {

QString whyOutcomeIsImpossible(const Fate &fate)
{
    const bool owns = fate.claim == Claim::Own;
    const bool seen = fate.cameBack || fate.closure == ClaimEndReason::Acknowledged;
    switch (fate.outcome) {
    case Outcome::Pending:
        return owns || fate.claim == Claim::Ended || seen || fate.possibleDuplicate
                   ? QStringLiteral("it is Pending, and something happened to it")
                   : QString();
    case Outcome::Claimed:
        return owns ? QString() : QStringLiteral("it is Claimed and does not own its message");
    case Outcome::Staged:
        return owns || (seen && fate.viaQueue) ? QString()
                                               : QStringLiteral("it is Staged, unseen, and does not own its message");
    case Outcome::Skipped:
    case Outcome::Ejected:
    case Outcome::Cancelled:
        return owns || seen || fate.possibleDuplicate
                   ? QStringLiteral("it was not sent, and owns its message or was seen")
                   : QString();
    case Outcome::InDoubt:
        return seen ? QStringLiteral("it is in doubt and was seen") : QString();
    case Outcome::Sent:
        break;
    }
    return {};
}

} // namespace

QString whyImpossible(const Fate &fate)
{
    if (fate.intent && (fate.outcome != Outcome::Staged || fate.viaQueue))
        return QStringLiteral("it has an intent that the intent log does not know");
    if (!fate.batched && fate.outcome != Outcome::Pending && fate.outcome != Outcome::Cancelled)
        return QStringLiteral("it has an outcome and no batch");
    const bool ended = fate.cameBack || fate.closure != ClaimEndReason::None;
    if (ended && fate.claim == Claim::Own)
        return QStringLiteral("it was seen or settled, and still owns its message");
    if (ended && !mayHaveArrived(fate.outcome) && fate.outcome != Outcome::Staged)
        return QStringLiteral("it was seen or settled, and was not sent");
    if (fate.closure != ClaimEndReason::None && fate.closure != ClaimEndReason::Acknowledged
        && fate.outcome != Outcome::Sent)
        return QStringLiteral("it was settled, and is not Sent");
    const bool away = fate.outcome == Outcome::Staged || mayHaveArrived(fate.outcome);
    if (away && fate.claim == Claim::Own && fate.message != MessageStatus::RetryIssued)
        return QStringLiteral("it owns a message that is away and not RetryIssued");
    return whyOutcomeIsImpossible(fate);
}

} // namespace records
