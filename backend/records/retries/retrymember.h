// One message of an operation, and how its claim ends.
#pragma once

#include "backend/core/ids.h"
#include "backend/core/time/clock.h"
#include "backend/records/retries/retry.h"

#include <QString>

#include <optional>

namespace records {

struct RetryMember
{
    core::OperationId operation;
    qint64 ordinal = 0; // 1 .. total, the frozen order
    core::MessageId message;
    QString uniqueId;
    QString destination; // frozen, redirects applied
    core::BatchId batch; // none while Pending
    Outcome outcome = Outcome::Pending;
    int attempt = 0; // counts the retries of this message, from 1; 0 before it is claimed
    int stageAttempts = 0; // refusals of this very message
    bool intent = false; // intent log: the intent to send it is stored, the outcome is not
    bool cameBack = false;
    bool possibleDuplicate = false;
    QString reason; // why it was skipped, ejected or is in doubt, as a sentence for people
    std::optional<core::TimePoint> deliverAt{}; // frozen: the broker delivers the copy then; nothing: at once

    friend bool operator==(const RetryMember &, const RetryMember &) = default;
};

// How the claim of a message that was sent, or may have been sent, ends without the message coming back. Stored as
// numbers: never change their order.
enum class ClaimEndReason {
    None, // it did not end so
    Acknowledged, // its endpoint confirmed processing: Resolved
    ByHand, // a person says it was processed: Resolved
    TakenBack, // a person wants it sent again: Unresolved, and a possible duplicate
    FailedAgain, // it came back without our stamp: as TakenBack
    Quiet, // it did not come back for the quiet period while its error queues were watched: Resolved
    // A backup was restored: whether the message was sent, and what happened to it, is unknown. This also ends a doubt,
    // because from then on the message's own status says so. A possible duplicate.
    Restored,
};
constexpr ClaimEndReason lastOf(ClaimEndReason)
{
    return ClaimEndReason::Restored;
}

} // namespace records
