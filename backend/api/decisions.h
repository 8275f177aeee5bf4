// What a person decides about stored messages.
#pragma once

#include "backend/api/request.h"

namespace api {

// What a person decides about stored messages. None of these sends anything.
enum class Decision {
    Archive, // Unresolved -> Archived
    Restore, // Archived -> Unresolved
    TakeBack, // sent or in doubt -> Unresolved: can be sent again, which may duplicate them
    Resolve, // sent or in doubt -> Resolved: a person knows that they were processed
    Delete, // Archived, or Resolved when the filter says so -> removed for good
};
constexpr Decision lastOf(Decision)
{
    return Decision::Delete;
}

struct DecisionCounts
{
    qint64 changed = 0;
    qint64 browsedOnly = 0; // not changed: the original is still in its queue
    QString browsedOnlyReason; // why those cannot be changed; empty: there are none
    qint64 underWay = 0; // not changed: not sent yet, or part of an unfinished retry

    REDRIVE_FIELDS(changed, underWay, browsedOnly, browsedOnlyReason)
};

// Archives, restores, takes back, resolves or deletes stored messages, in transactions of limits::batchMembers: after a
// crash the same command does the rest. Refused: every message is browsed only.
struct DecideMessages
{
    using Answer = DecisionCounts;
    static constexpr RequestRules rules{"DecideMessages", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const;
    [[nodiscard]] QString activity() const;
    // The status of the messages that the decision changes.
    [[nodiscard]] records::MessageStatus statusBefore() const;

    // Leave the status empty: the decision implies it. Exceptions: Resolved, to delete resolved messages; Unknown, to
    // archive, take back or resolve messages of unknown state after a backup was restored.
    records::MessageFilter filter;
    Decision decision = Decision::Archive;

    REDRIVE_FIELDS(filter, decision)
};

} // namespace api
