#pragma once

#include "backend/core/result.h"
#include "backend/store/retry/retryrecords.h"

#include <QList>

#include <optional>

namespace store {

using core::Result;

class BatchRows;
class RetryLedger;
class RetryOperationStore;
struct LedgerEntry;

// The retry of a message that waits for news of it.
struct AwaitedReturn
{
    core::OperationId operation;
    int attempt = 0;
    bool mayBeAway = false; // records::mayBeAway
    bool sentAgain = false; // its first copy went before EvidenceStore::sentFrom
};

// What ends a claim, or a doubt: a person cancels, settles or sends again, and messages come back or were processed.
// Part of the caller's transaction (session.h). Engine thread.
class ClaimStore final
{
public:
    ClaimStore(RetryLedger &ledger, RetryOperationStore &operations, BatchRows &rows);
    ClaimStore(const ClaimStore &) = delete;
    ClaimStore &operator=(const ClaimStore &) = delete;

    // Cancels up to `rows` members that the broker does not have: Pending, Claimed, and in the intent log Staged
    // without an intent. Batches left empty before Forwarding are Done. Returns how many; 0: none are left.
    [[nodiscard]] Result<int> cancelMembers(core::OperationId operation, int rows);
    // Settles InDoubt members as Sent.
    [[nodiscard]] Result<> assumeSent(core::OperationId operation, const QList<qint64> &ordinals);
    // InDoubt members that still own their claim return to Claimed in a new batch (Staging) of the same operation and
    // attempt, flagged possible duplicate. Members whose message was archived since stay in doubt. A finished operation
    // is Running again, or Paused while "Pause all" is in force. Conflict: the operation is still being cancelled.
    [[nodiscard]] Result<> sendAgain(core::OperationId operation, const QList<qint64> &ordinals,
                                     const QString &session);
    // Nothing: no retry of this message can come back. A claim that a person or a quiet period resolved counts, too.
    [[nodiscard]] Result<std::optional<AwaitedReturn>> awaitedReturn(const QString &uniqueId);
    // The intake found a copy of this retry: it failed again. Only the (operation, attempt) of the live claim
    // releases that claim and flags the member; a claim that a person or a quiet period resolved counts too. An open
    // intent or a doubt is then known to be sent. The caller applies the stop rule (records::stopped) in the same
    // transaction.
    [[nodiscard]] Result<CameBack> cameBack(const QString &uniqueId, core::OperationId operation, int attempt);
    // Its endpoint confirmed that it processed the message: its claim is released, a doubt is settled as sent, and what was
    // RetryIssued is Resolved. A message that no retry owns is left alone.
    [[nodiscard]] Result<> acknowledged(const QString &uniqueId, core::TimePoint at);
    // A copy of an earlier retry failed and is in its record, which is Unresolved now. Where a later retry owns the message, that
    // one still decides about it: RetryIssued.
    [[nodiscard]] Result<> earlierFailed(core::MessageId message);
    // Ends the claims of messages that were sent or are in doubt, and settles each doubt as sent. A reason that proves
    // processing (records::provesProcessed): RetryIssued becomes Resolved. Every other reason: RetryIssued becomes
    // Unresolved and the member is flagged possible duplicate. Messages that are still being sent are left alone;
    // returns how many changed.
    [[nodiscard]] Result<int> close(const QList<core::MessageId> &messages, const ClaimEnd &claimEnd);
    // Of the messages that close() would change: how many the broker holds at this time and delivers later.
    [[nodiscard]] Result<int> heldByBroker(const QList<core::MessageId> &messages, core::TimePoint now);
    // A store that was made from a backup: no batch continues, so no claim stays live, also none of a damaged file.
    [[nodiscard]] Result<> endAll();

private:
    [[nodiscard]] Result<std::optional<LedgerEntry>> awaitingNews(const QString &uniqueId);

    RetryLedger &m_ledger;
    RetryOperationStore &m_operations;
    BatchRows &m_rows;
};

} // namespace store
