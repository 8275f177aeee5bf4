// What is known of one message of an operation: all that decides what may happen to it next.
#pragma once

#include "backend/records/messages/message.h"
#include "backend/records/retries/retrymember.h"

namespace records {

// Which retry owns the message. The row of a claim is never deleted, so it names the member that had the message last.
enum class Claim {
    Free, // of no retry now, and the last one was not this member
    Own, // of this member: only it may send the message
    Ended, // it was of this member, and of no other since
    Anothers, // of a member of another operation
};
constexpr Claim lastOf(Claim)
{
    return Claim::Anothers;
}

struct Fate
{
    Outcome outcome = Outcome::Pending;
    Claim claim = Claim::Free;
    MessageStatus message = MessageStatus::Unresolved;
    ClaimEndReason closure = ClaimEndReason::None;
    bool batched = false; // it is in a batch
    bool viaQueue = false; // its batch is staged in a queue of the broker, not sent from the intent log
    bool intent = false;
    bool cameBack = false;
    bool possibleDuplicate = false;
    // An earlier copy of the message is not accounted for: the message is a possible duplicate (MessageFlag), or another operation
    // sent it, or may have, and a person took it back or decided otherwise about it, and that copy was not seen again.
    bool earlierCopy = false;

    friend bool operator==(const Fate &, const Fate &) = default;
};

// Why no member can be so, for tests and checks; empty: it can. These are the invariants of one member: a member is Claimed
// only while it owns the message; what was seen or settled owns nothing more; what never left has released its claim.
[[nodiscard]] QString whyImpossible(const Fate &fate);

} // namespace records
