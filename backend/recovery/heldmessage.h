#pragma once

#include "backend/core/ids.h"
#include "backend/recovery/decision.h"

#include <QString>

#include <optional>

namespace recovery {

// Where a message stands under its policy. Stored as numbers: never change their order.
enum class HeldState {
    Waiting, // for its next attempt
    InRetry, // an operation sends it, or has sent it and nobody knows yet what became of it
    Exhausted, // the policy has given it up
    Excluded, // a person took it out of the policy, or of whichever may get it
    // It is not unresolved any more (resolved, archived or released), came back as another record, or no policy is for
    // it. Its count is kept in case it fails again or a policy gets it.
    Ended,
    Leaving, // the policy has given it up, and it has yet to go where the policy says: Exhausted::Do
    NotMoved, // the policy has given it up, and it could not go there: a person decides
};
constexpr HeldState lastOf(HeldState)
{
    return HeldState::NotMoved;
}
// An attempt of it has a time, or has to wait for a queue that is missing: Waiting or Leaving.
[[nodiscard]] bool isScheduled(HeldState state);
[[nodiscard]] QString toString(HeldState state); // "waiting", "in_retry", ...: for JSON

// A message under a policy. It has one at most. What it has used and that a person took it out belong to the message and
// its failure: they stay when no policy is for it any more.
struct HeldMessage
{
    core::MessageId message;
    core::ConnectionId connection;
    core::AssignmentId assignment; // the one that it is under; invalid: none is
    int version = 0; // of the policy when it decided
    HeldState state = HeldState::Waiting;
    Progress progress; // its failures so far, as the policy counts them
    int attempts = 1; // failures of its record that `progress` includes
    bool isDelayed = false; // the attempt that it waits for, or that runs, is a delayed retry
    core::TimePoint decidedAt; // when that attempt was decided
    // Of Waiting: when it is sent; of Leaving: when it goes. Nothing: the queue that it has to go to is missing.
    std::optional<core::TimePoint> nextAttempt;
    // The broker delivers the copy not before this time (Waiting: when it is sent; InRetry). Nothing: at once
    std::optional<core::TimePoint> deliverAt;
    core::OperationId operation; // that had it last, as far as the policy has looked; invalid: none
    bool hasLeft = false; // it was given up and sent where the policy says; this happens once
    QString reason; // why it is exhausted or was not moved, or why its due attempt waits, for people
    QString body; // digest of the body that a retry sends (records::bodyDigest); empty: not known yet
    // Its copy failed without the headers of Redrive, and is this record: it inherited the progress. Itself: likewise, and
    // forgiven. Invalid: none
    core::MessageId returnedAs;

    REDRIVE_FIELDS(message, connection, assignment, version, state, progress, attempts, isDelayed, decidedAt,
                   nextAttempt, deliverAt, operation, hasLeft, reason, body, returnedAs)
    friend bool operator==(const HeldMessage &, const HeldMessage &) = default;
};

} // namespace recovery
