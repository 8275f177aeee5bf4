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
    qint64 atBroker = 0; // taken back, though the broker holds them and delivers them later all the same
    qint64 conflicts = 0; // not changed: they changed since the person saw them, and the decision no longer fits
    QString conflict; // for people: how many, and who changed one of them; empty: there are none
    qint64 change = 0; // the store's change number after the decision
    bool isCancelled = false; // by CancelWork: what was changed stays so, and the rest was not looked at

    REDRIVE_FIELDS(changed, underWay, browsedOnly, browsedOnlyReason, atBroker, conflicts, conflict, change,
                   isCancelled)
};

// Archives, restores, takes back, resolves or deletes stored messages, in transactions of limits::transactionSlice: after a
// crash the same command does the rest, and so it does after CancelWork. Refused: every message is browsed only.
//
// Optimistic concurrency (deferred dispatch), for messages that the filter names: a message that was written to since
// `asOfChange` is read again. If its status still allows the decision, the decision is retried with this version, at
// most limits::conflictRetries times. If the status is already the one that the decision leads to, nothing
// is left to do. Otherwise it is a conflict. Conflict: there are some, and no message was changed.
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

    // The store's change number when the person read the list; 0: unknown, so the messages as they are now count.
    qint64 asOfChange = 0;

    QString ticket{}; // for AskWork and CancelWork; empty: nobody asks

    // The status of the messages that the decision leads to; nothing: they are removed.
    [[nodiscard]] std::optional<records::MessageStatus> statusAfter() const;

    REDRIVE_FIELDS(filter, decision, asOfChange, ticket)
};

} // namespace api
