#pragma once

#include "backend/core/result.h"
#include "backend/store/retryrecords.h"

namespace store {

using core::Result;

// The batches of one operation.
struct BatchTally
{
    int total = 0;
    int done = 0;
    QList<records::RetryBatch> newestDone; // newest first
};

// Operations, members, batches, claims, the staging ledger and the forwarding pointer.
//
// Every call runs inside one transaction of Store::transact (those that only read: also in Store::read) and is whole
// or not at all. What each call promises of its own:
//  - counts of operation and batch move in the same transaction as the members (recount() proves it);
//  - every end of a member that is neither Sent nor InDoubt releases its claim; a message that was RetryIssued because
//    of that claim is Unresolved again. So does a message that is Released, or was archived before it came into doubt;
//  - stages only move forward: a call that finds a batch in another stage than it needs answers Conflict.
// Lists of ordinals are of one operation and at most limits::batchMembers long.
class RetryStore
{
public:
    RetryStore() = default;
    RetryStore(const RetryStore &) = delete;
    RetryStore &operator=(const RetryStore &) = delete;
    virtual ~RetryStore() = default;

    // ---- T1: operations and their frozen sets --------------------------------------------------------------------

    // As given, without id, counts and total.
    [[nodiscard]] virtual Result<core::OperationId> addOperation(const records::RetryOperation &operation) = 0;
    // Looks at these messages, in this order, and freezes what the rules take. The operation must be Freezing.
    [[nodiscard]] virtual Result<FreezeTally> freeze(core::OperationId operation,
                                                     const QList<core::MessageId> &messages,
                                                     const FreezeRules &rules) = 0;
    // The same without writing: for previews. `already`: what earlier slices froze, for the limit.
    [[nodiscard]] virtual Result<FreezeTally> evaluate(const QList<core::MessageId> &messages, const FreezeRules &rules,
                                                       qint64 already) = 0;
    // Takes away up to `rows` members of an operation in Freezing, and the operation with the last; true when it is
    // gone.
    [[nodiscard]] virtual Result<bool> discardFreezing(core::OperationId operation, int rows) = 0;

    [[nodiscard]] virtual Result<records::RetryOperation> operation(core::OperationId id) = 0;
    // Not dismissed; newest first. connection none: all.
    [[nodiscard]] virtual Result<QList<records::RetryOperation>> operations(core::ConnectionId connection,
                                                                            int limit) = 0;
    // connection none: all. Those with work left: Freezing to Paused, and Cancelled ones whose members have not all ended; oldest first.
    [[nodiscard]] virtual Result<QList<records::RetryOperation>> unfinished(core::ConnectionId connection) = 0;
    // All but what was asked for, the total and the counts: these are left as they are.
    [[nodiscard]] virtual Result<> updateOperation(const records::RetryOperation &operation) = 0;
    // Of a running operation, too; nothing: no limit. Conflict when it has ended.
    [[nodiscard]] virtual Result<> setPerMinute(core::OperationId id, std::optional<qint64> perMinute) = 0;
    // ---- guarded operations: Plan::isGuarded() ----

    // Of unfinished guarded operations. operation none: of all of the connection.
    [[nodiscard]] virtual Result<Returns> returns(core::ConnectionId connection, core::OperationId operation) = 0;
    [[nodiscard]] virtual Result<StepState> stepState(core::OperationId id) = 0;
    // What waits at destinations before something of this step goes there; those that are known already stay as they are.
    [[nodiscard]] virtual Result<> keepDepths(core::OperationId id, const QHash<QString, qint64> &depths) = 0;
    // One step more has its evidence; the depths are those of the next.
    [[nodiscard]] virtual Result<> proveStep(core::OperationId id) = 0;

    // "Pause all": in force until it is taken back, over restarts. Kept here; who starts operations looks at it in the
    // same transaction.
    [[nodiscard]] virtual Result<> setAllPaused(bool paused) = 0;
    [[nodiscard]] virtual Result<bool> allPaused() = 0;
    // Lists leave it out from now on. Conflict while members have not all ended.
    [[nodiscard]] virtual Result<> dismiss(core::OperationId id) = 0;

    // ---- T2: marking documents -----------------------------------------------------------------------------------

    // T2a: a batch (MarkingDocuments) with the next Pending members; nothing when none are left.
    [[nodiscard]] virtual Result<std::optional<records::RetryBatch>> addBatch(core::OperationId operation,
                                                                              const QString &session, int members) = 0;
    // T2b: claims, insert-if-absent. Members whose message is claimed elsewhere are Skipped. Idempotent.
    [[nodiscard]] virtual Result<> claimMembers(core::BatchId batch) = 0;
    // T2c.
    [[nodiscard]] virtual Result<> beginStaging(core::BatchId batch) = 0;

    // ---- T3: staging ---------------------------------------------------------------------------------------------

    // T3a: a new staging id and place (no place: ledger). Members whose claim is not this batch or whose message
    // is not Unresolved any more are Skipped; the rest is returned in order.
    [[nodiscard]] virtual Result<QList<RetryMember>> nameStaging(core::BatchId batch, const QString &stagingId,
                                                                 const QString &place) = 0;
    // One clear refusal more for each of these; those that reach limits::stageAttempts are Ejected.
    [[nodiscard]] virtual Result<> countRefusals(core::BatchId batch, const QList<MemberReason> &refused) = 0;
    // Claimed members that cannot be staged at all (body missing, destination kept out): Ejected.
    [[nodiscard]] virtual Result<> eject(core::BatchId batch, const QList<MemberReason> &members) = 0;
    // T3b: Claimed members are Staged, their messages RetryIssued, the pointer is set. Conflict when the pointer is
    // taken, when the staging id is not the batch's any more, or when `staged` is not the number of Claimed members.
    [[nodiscard]] virtual Result<> beginForwarding(core::BatchId batch, const QString &stagingId, int staged) = 0;
    // A batch in Staging without Claimed members has nothing to send: Done.
    [[nodiscard]] virtual Result<> finishEmpty(core::BatchId batch) = 0;

    // ---- forwarding ----------------------------------------------------------------------------------------------

    [[nodiscard]] virtual Result<std::optional<records::RetryBatch>> nowForwarding(core::ConnectionId connection) = 0;
    [[nodiscard]] virtual Result<> keepMark(core::BatchId batch, const QString &mark) = 0;
    // T4: members still Staged get their outcome, messages of a Release that are still RetryIssued are Released, the
    // batch is Done, the pointer is free. Open intents: Conflict.
    [[nodiscard]] virtual Result<> finishForwarding(core::BatchId batch, const BatchEnd &end) = 0;

    // Ledger: the Staged members without intent, by ordinal.
    [[nodiscard]] virtual Result<QList<RetryMember>> unsent(core::BatchId batch) = 0;
    // L1. Members that are not Staged any more are left alone; returns those that now have an intent.
    [[nodiscard]] virtual Result<QList<qint64>> writeIntents(core::BatchId batch, const QList<qint64> &ordinals) = 0;
    // L2. Intents that were settled meanwhile (the message came back) are left alone.
    [[nodiscard]] virtual Result<> writeOutcomes(core::BatchId batch, const QList<IntentOutcome> &outcomes) = 0;
    [[nodiscard]] virtual Result<QList<RetryMember>> openIntents(core::BatchId batch) = 0;
    // Pause, lower rate: unsent members go back to Claimed in a new batch (Staging), this one is Done. Open intents:
    // Conflict.
    [[nodiscard]] virtual Result<> closeLedgerBatch(core::BatchId batch, const QString &session) = 0;

    // These members of a batch in Staging or Forwarding wait, Claimed, in a new batch (Staging) of their own: Claimed ones,
    // and Staged ones of which the broker has proved that their destination did not take them. None: no batch is made.
    [[nodiscard]] virtual Result<core::BatchId> setAside(core::BatchId batch, const QList<qint64> &ordinals,
                                                         const QString &session) = 0;

    // ---- cancel, doubt, claims -----------------------------------------------------------------------------------

    // Up to `rows` members that are not with the broker (Pending; Claimed; in a ledger batch Staged without intent) are
    // Cancelled; batches left empty before Forwarding are Done. Returns how many; 0: none left.
    [[nodiscard]] virtual Result<int> cancelMembers(core::OperationId operation, int rows) = 0;

    [[nodiscard]] virtual Result<> assumeSent(core::OperationId operation, const QList<qint64> &ordinals) = 0;
    // InDoubt members whose claim is still theirs go back to Claimed in a new batch (Staging) of the same operation and
    // attempt, flagged possible duplicate; the others, archived since, stay in doubt. A finished operation is
    // Running again, or Paused while "Pause all" holds.
    [[nodiscard]] virtual Result<> sendAgain(core::OperationId operation, const QList<qint64> &ordinals,
                                             const QString &session) = 0;

    // Intake: a message with this stamp failed again. Only the claim's current (operation, attempt) release it and
    // flag the member; an open intent or a doubt is thereby known to have been sent. Pauses an operation of which too many
    // came back.
    [[nodiscard]] virtual Result<CameBack> cameBack(const QString &uniqueId, core::OperationId operation,
                                                    int attempt) = 0;
    // Seen at the other side, whatever its status becomes: the claim is released, a doubt is settled as sent.
    [[nodiscard]] virtual Result<> confirmed(const QString &uniqueId, const ClaimEnd &claimEnd) = 0;
    // The claims of messages that were sent or are in doubt are released. TakenBack, FailedAgain: RetryIssued -> Unresolved,
    // the member is flagged possible duplicate. ByHand: RetryIssued -> Resolved. A doubt is settled as sent by each. Messages still on
    // their way are left alone; returns how many were changed.
    [[nodiscard]] virtual Result<int> close(const QList<core::MessageId> &messages, const ClaimEnd &claimEnd) = 0;

    // ---- reading -------------------------------------------------------------------------------------------------

    [[nodiscard]] virtual Result<records::RetryBatch> batch(core::BatchId id) = 0;
    // Of one operation, all stages, oldest first.
    [[nodiscard]] virtual Result<QList<records::RetryBatch>> batches(core::OperationId operation) = 0;
    // The same counted, at a cost that does not grow with them, with the newest that are Done.
    [[nodiscard]] virtual Result<BatchTally> tallyBatches(core::OperationId operation, int newestDone) = 0;
    // Not Done; oldest first. connection none: all.
    [[nodiscard]] virtual Result<QList<records::RetryBatch>> liveBatches(core::ConnectionId connection, int limit) = 0;
    // In MarkingDocuments, oldest first.
    [[nodiscard]] virtual Result<QList<records::RetryBatch>> markingBatches(core::ConnectionId connection,
                                                                            int limit) = 0;
    // Of one operation, before Forwarding, oldest first, without these.
    [[nodiscard]] virtual Result<QList<records::RetryBatch>> batchesToStage(core::OperationId operation,
                                                                            const QList<core::BatchId> &without,
                                                                            int limit) = 0;
    // Not Done, for a picture: every operation in turn, the nearest to its end first; in the order of their ids.
    [[nodiscard]] virtual Result<QList<records::RetryBatch>> batchesInTurn(int limit) = 0;
    [[nodiscard]] virtual Result<QList<RetryMember>> batchMembers(core::BatchId batch) = 0;
    // By ordinal, after `after`; outcome nothing: all.
    [[nodiscard]] virtual Result<QList<RetryMember>> members(core::OperationId operation,
                                                             std::optional<records::Outcome> outcome, qint64 after,
                                                             int limit) = 0;
    [[nodiscard]] virtual Result<qint64> inDoubtTotal() = 0;
    // Counts from the member rows themselves, for proofs.
    [[nodiscard]] virtual Result<records::OutcomeCounts> recount(core::OperationId operation) = 0;
};

} // namespace store
