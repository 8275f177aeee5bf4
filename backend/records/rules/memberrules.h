// Questions about a message of an operation, and about how its part in it ended. Pure functions. What may happen to it is in
// ledger/transitions.h.
#pragma once

#include "backend/records/ledger/fate.h"

namespace records {

// Whether the broker does not have the copies of this batch, so that a cancelled operation sends none of them.
[[nodiscard]] bool mayBeCancelled(const RetryBatch &batch);
// Whether a copy of the member can be at its destination, as far as the engine knows: it was sent, or its sending has begun.
[[nodiscard]] bool mayBeAway(const Fate &fate);

// Why a member is skipped whose message has this status when it is its turn; stored with the member.
[[nodiscard]] QString whySkipped(MessageStatus status);
[[nodiscard]] QString claimedByAnother();
// Why a possible duplicate is in doubt that was cancelled before it was sent again.
[[nodiscard]] QString cancelledInDoubt();

// Whether this end of a claim says that the message was processed: it is Resolved then.
[[nodiscard]] bool provesProcessed(ClaimEndReason reason);
// Whether coming back shows that it was not processed after all. What its endpoint acknowledged is a new failure.
[[nodiscard]] bool isDisprovedByReturn(ClaimEndReason reason);
// Whether a doubt ends without an answer: its reason still says that the message may not have been sent.
[[nodiscard]] bool leavesDoubt(ClaimEndReason reason);

} // namespace records
