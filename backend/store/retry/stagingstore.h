#pragma once

#include "backend/core/result.h"
#include "backend/store/retry/retryrecords.h"

#include <QList>

#include <optional>

namespace store {

using core::Result;

class BatchRows;
class RetryLedger;

// Steps claim, nameStaging and commitStaged (session.h): a batch takes members, claims their messages, and is staged.
// Engine thread.
class StagingStore final
{
public:
    StagingStore(RetryLedger &ledger, BatchRows &rows);
    StagingStore(const StagingStore &) = delete;
    StagingStore &operator=(const StagingStore &) = delete;

    // Part 1: adds a batch (MarkingDocuments) with up to `members` of the next Pending members. Nothing: none are left.
    [[nodiscard]] Result<std::optional<records::RetryBatch>> addBatch(core::OperationId operation,
                                                                      const QString &session, int members);
    // Part 2: claims the messages of the batch; the first claim of a message wins. Members whose message another
    // operation has claimed are Skipped. Calling it again changes nothing more.
    [[nodiscard]] Result<> claimMembers(core::BatchId batch);
    // Part 3: moves the batch to Staging.
    [[nodiscard]] Result<> beginStaging(core::BatchId batch);
    // Step nameStaging: stores a new staging id and place (empty place: intent log), so that nothing is on the broker
    // whose name the store does not know. Members whose claim is not theirs, or whose message is no longer Unresolved,
    // are Skipped; the others are returned in order.
    [[nodiscard]] Result<QList<RetryMember>> nameStaging(core::BatchId batch, const QString &stagingId,
                                                         const QString &place);
    // Counts one clear refusal for each of these; members that reach limits::stageAttempts are Ejected.
    [[nodiscard]] Result<> countRefusals(core::BatchId batch, const QList<MemberReason> &refused);
    // Ejects Claimed members that cannot be staged at all: their body is missing, or nothing can arrive at their
    // destination.
    [[nodiscard]] Result<> eject(core::BatchId batch, const QList<MemberReason> &members);
    // Step commitStaged: Claimed members become Staged, their messages RetryIssued, the batch Forwarding, and the
    // pointer names it. Until this step a staging queue does not count. Conflict, and nothing changes: the pointer
    // names another batch, the staging id is no longer the batch's, `staged` is not the number of Claimed
    // members, or one of them does not own its message any more.
    [[nodiscard]] Result<> beginForwarding(core::BatchId batch, const QString &stagingId, int staged);
    // Ends a batch in Staging that has nothing to send: Done. Conflict: it still has members to send.
    [[nodiscard]] Result<> finishEmpty(core::BatchId batch);
    // Moves members of a batch in Staging or Forwarding into a new batch (Staging), where they wait as Claimed: Claimed
    // members, and Staged ones that their destination provably did not accept. Returns an invalid id when none of them
    // can be moved.
    [[nodiscard]] Result<core::BatchId> setAside(core::BatchId batch, const QList<qint64> &ordinals,
                                                 const QString &session);

private:
    RetryLedger &m_ledger;
    BatchRows &m_rows;
};

} // namespace store
