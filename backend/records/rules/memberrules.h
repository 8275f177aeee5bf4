// What may happen to a message of an operation, and how its part in it ends. Pure functions; the store applies them to whole
// batches inside the transaction of the step.
#pragma once

#include "backend/records/messages/message.h"
#include "backend/records/retries/retrymember.h"

namespace records {

// How a member ends that the engine wants to end as `wanted`. One that came back reached its destination; one that may have
// been sent before must not end as if it had never been sent.
[[nodiscard]] Outcome endOf(Outcome wanted, bool possibleDuplicate, bool cameBack);

// Whether the broker does not have the copies of this batch, so that a cancelled operation sends none of them.
[[nodiscard]] bool mayBeCancelled(const RetryBatch &batch);
[[nodiscard]] bool mayBeCancelled(const RetryMember &member);
// Whether the member can wait for a later batch instead: no copy of it can be at its destination.
[[nodiscard]] bool mayBeSetAside(const RetryMember &member);
// Whether a copy of the member can be at its destination, as far as the engine knows: it was sent, or its sending has begun.
[[nodiscard]] bool mayBeAway(const RetryMember &member, const RetryBatch &batch);
// Whether the member was sent, now that its message was seen at its destination. A copy that is staged on the broker keeps
// its outcome until the batch ends.
[[nodiscard]] bool isSentWhenSeen(const RetryMember &member, const RetryBatch &batch);

// Why a member is skipped whose message has this status when it is its turn; stored with the member.
[[nodiscard]] QString whySkipped(MessageStatus status);
[[nodiscard]] QString claimedByAnother();

// Whether this end of a claim says that the message was processed: it is Resolved then.
[[nodiscard]] bool provesProcessed(ClaimEndReason reason);
// Whether coming back shows that it was not processed after all. What its endpoint acknowledged is a new failure.
[[nodiscard]] bool isDisprovedByReturn(ClaimEndReason reason);
// Whether a doubt ends without an answer: its reason still says that the message may not have been sent.
[[nodiscard]] bool leavesDoubt(ClaimEndReason reason);

} // namespace records
