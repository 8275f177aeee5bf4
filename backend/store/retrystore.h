#pragma once

#include "backend/core/result.h"
#include "backend/store/retryrecords.h"

namespace store {

using core::Result;

// The number of batches of one operation, and the newest finished ones.
struct BatchTally
{
    int total = 0;
    int done = 0;
    QList<records::RetryBatch> newestDone; // newest first
};

// Retry operations with their members, batches and claims, the staging queue's pointer, and the intent log.
//
// Thread and transactions: engine thread. Each call is part of the caller's transaction (Store::transact; those that
// only read also work in Store::read) and is complete or rolled back with it. A message goes back in these steps:
//  - freeze: the operation gets its frozen set (addOperation, freeze; updateOperation from Freezing to Waiting). It
//    takes several transactions; an operation that a crash left in Freezing is discarded.
//  - claim: a batch takes the next members and claims their messages (addBatch, claimMembers, beginStaging). Each of
//    the three is a transaction of its own; the next start does what is missing.
//  - nameStaging, one transaction: the batch has a staging id and a place, before anything of that name is on the
//    broker.
//  - commitStaged (beginForwarding), one transaction: the staged copies count; the connection's forwarding pointer
//    names the batch.
//  - recordOutcomes (finishForwarding), one transaction: each member has its outcome, the batch is Done, the pointer is
//    free.
// A batch without a staging queue is sent from the intent log. Between commitStaged and recordOutcomes it repeats two
// steps:
//  - recordIntents (writeIntents): before a message is sent, its intent is stored.
//  - recordOutcomes (writeOutcomes): after the answer, its outcome is stored and the intent is closed.
// backend/retry/README.md says what each step leaves after a crash and how the next start continues.
//
// All calls keep these rules:
//  - The counts of operation and batch change in the same transaction as the members (recount() proves it).
//  - A member that ends as neither Sent nor InDoubt releases its claim; a message that was RetryIssued through that
//    claim is Unresolved again. The claim of a message that is Released, or was archived before it came into doubt, is
//    released too.
//  - Batch stages only move forward. Conflict: the batch is in another stage than the call needs.
//  - NotFound: a call that loads the operation or the batch does not find it.
// A list of ordinals belongs to one operation and has at most limits::batchMembers entries.
class RetryStore
{
public:
    RetryStore() = default;
    RetryStore(const RetryStore &) = delete;
    RetryStore &operator=(const RetryStore &) = delete;
    virtual ~RetryStore() = default;

    // ---- step freeze: operations and their frozen sets ---------------------------------------------------------

    // Adds an operation; id, counts and total in `operation` are ignored. It must be Freezing before messages are
    // frozen into it.
    [[nodiscard]] virtual Result<core::OperationId> addOperation(const records::RetryOperation &operation) = 0;
    // Adds those of `messages` that the rules allow to the set, in this order. Conflict: the operation is no longer
    // Freezing.
    [[nodiscard]] virtual Result<FreezeTally> freeze(core::OperationId operation,
                                                     const QList<core::MessageId> &messages,
                                                     const FreezeRules &rules) = 0;
    // Like freeze, but writes nothing: for previews. `already`: how many earlier slices froze, for the limit.
    [[nodiscard]] virtual Result<FreezeTally> evaluate(const QList<core::MessageId> &messages, const FreezeRules &rules,
                                                       qint64 already) = 0;
    // Those of `messages` that an operation has claimed, or has in its set and continues: it sends them as they are now.
    [[nodiscard]] virtual Result<QList<core::MessageId>> underWay(const QList<core::MessageId> &messages) = 0;
    // Removes up to `rows` members of an operation in Freezing, and the operation with the last one. True: it is gone.
    // Conflict: its set is already frozen.
    [[nodiscard]] virtual Result<bool> discardFreezing(core::OperationId operation, int rows) = 0;

    [[nodiscard]] virtual Result<records::RetryOperation> operation(core::OperationId id) = 0;
    // Operations that are not dismissed, newest first. Invalid connection: of all connections.
    [[nodiscard]] virtual Result<QList<records::RetryOperation>> operations(core::ConnectionId connection,
                                                                            int limit) = 0;
    // Operations with work left: Freezing to Paused, and Cancelled ones that still have unfinished members; oldest
    // first. Invalid connection: of all connections.
    [[nodiscard]] virtual Result<QList<records::RetryOperation>> unfinished(core::ConnectionId connection) = 0;
    // Stores state, times, reasons and pause of an operation. Its scope, plan, total and counts are left as they are.
    [[nodiscard]] virtual Result<> updateOperation(const records::RetryOperation &operation) = 0;
    // Sets the rate, also of a running operation; nothing: no limit. Conflict: the operation has ended.
    [[nodiscard]] virtual Result<> setPerMinute(core::OperationId id, std::optional<qint64> perMinute) = 0;
    // ---- guarded operations (Plan::isGuarded) ----

    // Where messages of unfinished guarded operations with a frozen set may come back. Invalid operation: of all
    // operations of the connection.
    [[nodiscard]] virtual Result<Returns> returns(core::ConnectionId connection, core::OperationId operation) = 0;
    [[nodiscard]] virtual Result<StepState> stepState(core::OperationId id) = 0;
    // Stores the message counts of destinations before a step sends to them; counts that are already stored stay.
    [[nodiscard]] virtual Result<> keepDepths(core::OperationId id, const QMap<QString, qint64> &depths) = 0;
    // The current step has its evidence: counts it as proved and clears the stored message counts for the next step.
    [[nodiscard]] virtual Result<> proveStep(core::OperationId id) = 0;

    // "Pause all" stays in force until it is switched off, also over restarts. Whoever starts an operation checks it in
    // the same transaction.
    [[nodiscard]] virtual Result<> setAllPaused(bool paused) = 0;
    [[nodiscard]] virtual Result<bool> allPaused() = 0;
    // Hides a finished operation from lists. Conflict: it has not finished.
    [[nodiscard]] virtual Result<> dismiss(core::OperationId id) = 0;

    // ---- step claim: Marking Documents -------------------------------------------------------------------------

    // Part 1: adds a batch (MarkingDocuments) with up to `members` of the next Pending members. Nothing: none are left.
    [[nodiscard]] virtual Result<std::optional<records::RetryBatch>> addBatch(core::OperationId operation,
                                                                              const QString &session, int members) = 0;
    // Part 2: claims the messages of the batch; the first claim of a message wins. Members whose message another
    // operation has claimed are Skipped. Calling it again changes nothing more.
    [[nodiscard]] virtual Result<> claimMembers(core::BatchId batch) = 0;
    // Part 3: moves the batch to Staging.
    [[nodiscard]] virtual Result<> beginStaging(core::BatchId batch) = 0;

    // ---- steps nameStaging and commitStaged: Staging -----------------------------------------------------------

    // Step nameStaging: stores a new staging id and place (empty place: intent log), so that nothing is on the broker
    // whose name the store does not know. Members whose claim is not theirs, or whose message is no longer Unresolved,
    // are Skipped; the others are returned in order.
    [[nodiscard]] virtual Result<QList<RetryMember>> nameStaging(core::BatchId batch, const QString &stagingId,
                                                                 const QString &place) = 0;
    // Counts one clear refusal for each of these; members that reach limits::stageAttempts are Ejected.
    [[nodiscard]] virtual Result<> countRefusals(core::BatchId batch, const QList<MemberReason> &refused) = 0;
    // Ejects Claimed members that cannot be staged at all: their body is missing, or nothing can arrive at their
    // destination.
    [[nodiscard]] virtual Result<> eject(core::BatchId batch, const QList<MemberReason> &members) = 0;
    // Step commitStaged: Claimed members become Staged, their messages RetryIssued, the batch Forwarding, and the
    // pointer names it. Until this step a staging queue does not count. Conflict, and nothing changes: the pointer
    // names another batch, the staging id is no longer the batch's, or `staged` is not the number of Claimed members.
    [[nodiscard]] virtual Result<> beginForwarding(core::BatchId batch, const QString &stagingId, int staged) = 0;
    // Ends a batch in Staging that has nothing to send: Done. Conflict: it still has members to send.
    [[nodiscard]] virtual Result<> finishEmpty(core::BatchId batch) = 0;

    // ---- Forwarding and the intent log -------------------------------------------------------------------------

    // The batch that the connection's pointer names: it has staged copies or intents on their way. Nothing: none.
    [[nodiscard]] virtual Result<std::optional<records::RetryBatch>> nowForwarding(core::ConnectionId connection) = 0;
    // Stores what the broker needs to continue forwarding this batch after a crash. Conflict: the batch is not
    // Forwarding.
    [[nodiscard]] virtual Result<> keepMark(core::BatchId batch, const QString &mark) = 0;
    // Step recordOutcomes of a staging queue, and the end of a batch in the intent log: Staged members get the outcome
    // that `end` names, or Sent. Messages of a Release that are still RetryIssued become Released. The batch is Done,
    // the pointer is free. Conflict: an intent is still open.
    [[nodiscard]] virtual Result<> finishForwarding(core::BatchId batch, const BatchEnd &end) = 0;

    // Intent log: the Staged members without an intent, by ordinal.
    [[nodiscard]] virtual Result<QList<RetryMember>> unsent(core::BatchId batch) = 0;
    // Step recordIntents. Only after it is on the disk may these messages be sent. Members that are no longer Staged
    // are left alone; returns the ordinals that now have an intent.
    [[nodiscard]] virtual Result<QList<qint64>> writeIntents(core::BatchId batch, const QList<qint64> &ordinals) = 0;
    // Step recordOutcomes of the intent log. Intents that were closed meanwhile (the message came back) are left alone.
    [[nodiscard]] virtual Result<> writeOutcomes(core::BatchId batch, const QList<IntentOutcome> &outcomes) = 0;
    // Intents without an outcome. After a crash each of them may or may not have been sent.
    [[nodiscard]] virtual Result<QList<RetryMember>> openIntents(core::BatchId batch) = 0;
    // For a pause or a lower rate: unsent members return to Claimed in a new batch (Staging), this batch is Done.
    // Conflict: an intent is still open.
    [[nodiscard]] virtual Result<> closeIntentLogBatch(core::BatchId batch, const QString &session) = 0;

    // Moves members of a batch in Staging or Forwarding into a new batch (Staging), where they wait as Claimed: Claimed
    // members, and Staged ones that their destination provably did not accept. Returns an invalid id when none of them
    // can be moved.
    [[nodiscard]] virtual Result<core::BatchId> setAside(core::BatchId batch, const QList<qint64> &ordinals,
                                                         const QString &session) = 0;

    // ---- cancel, doubt, claims -----------------------------------------------------------------------------------

    // Cancels up to `rows` members that the broker does not have: Pending, Claimed, and in the intent log Staged
    // without an intent. Batches left empty before Forwarding are Done. Returns how many; 0: none are left.
    [[nodiscard]] virtual Result<int> cancelMembers(core::OperationId operation, int rows) = 0;

    // Settles InDoubt members as Sent.
    [[nodiscard]] virtual Result<> assumeSent(core::OperationId operation, const QList<qint64> &ordinals) = 0;
    // InDoubt members that still own their claim return to Claimed in a new batch (Staging) of the same operation and
    // attempt, flagged possible duplicate. Members whose message was archived since stay in doubt. A finished operation
    // is Running again, or Paused while "Pause all" is in force. Conflict: the operation is still being cancelled.
    [[nodiscard]] virtual Result<> sendAgain(core::OperationId operation, const QList<qint64> &ordinals,
                                             const QString &session) = 0;

    // The intake found a message with this stamp: it failed again. Only the (operation, attempt) of the live claim
    // releases that claim and flags the member; a claim that a person or a quiet period resolved counts too. An open
    // intent or a doubt is then known to be sent. The caller applies the stop rule (records::stopped) in the same
    // transaction.
    [[nodiscard]] virtual Result<CameBack> cameBack(const QString &uniqueId, core::OperationId operation,
                                                    int attempt) = 0;
    // The message was seen at its destination: its claim is released and a doubt is settled as sent. The caller sets
    // the status.
    [[nodiscard]] virtual Result<> confirmed(const QString &uniqueId, const ClaimEnd &claimEnd) = 0;
    // Ends the claims of messages that were sent or are in doubt, and settles each doubt as sent. ByHand: RetryIssued
    // becomes Resolved. Every other reason: RetryIssued becomes Unresolved and the member is flagged possible
    // duplicate. Messages that are still being sent are left alone; returns how many changed.
    [[nodiscard]] virtual Result<int> close(const QList<core::MessageId> &messages, const ClaimEnd &claimEnd) = 0;

    // ---- reading -----------------------------------------------------------------------------------------------

    [[nodiscard]] virtual Result<records::RetryBatch> batch(core::BatchId id) = 0;
    // All batches of one operation, oldest first.
    [[nodiscard]] virtual Result<QList<records::RetryBatch>> batches(core::OperationId operation) = 0;
    // The count of these batches, with the newest `newestDone` finished ones; the cost does not grow with their number.
    [[nodiscard]] virtual Result<BatchTally> tallyBatches(core::OperationId operation, int newestDone) = 0;
    // Batches that are not Done, oldest first. Invalid connection: of all connections.
    [[nodiscard]] virtual Result<QList<records::RetryBatch>> liveBatches(core::ConnectionId connection, int limit) = 0;
    // Batches in MarkingDocuments, oldest first: what a crash, or a failed transaction, left in the middle of step
    // claim.
    [[nodiscard]] virtual Result<QList<records::RetryBatch>> markingBatches(core::ConnectionId connection,
                                                                            int limit) = 0;
    // Batches of one operation before Forwarding, oldest first, except `without`.
    [[nodiscard]] virtual Result<QList<records::RetryBatch>> batchesToStage(core::OperationId operation,
                                                                            const QList<core::BatchId> &without,
                                                                            int limit) = 0;
    // Batches that are not Done, for display: operations take turns, the batch nearest to its end first; sorted by id.
    [[nodiscard]] virtual Result<QList<records::RetryBatch>> batchesInTurn(int limit) = 0;
    [[nodiscard]] virtual Result<QList<RetryMember>> batchMembers(core::BatchId batch) = 0;
    // Members after ordinal `after`, in order; outcome nothing: all.
    [[nodiscard]] virtual Result<QList<RetryMember>> members(core::OperationId operation,
                                                             std::optional<records::Outcome> outcome, qint64 after,
                                                             int limit) = 0;
    [[nodiscard]] virtual Result<qint64> inDoubtTotal() = 0;
    // Counts the member rows themselves, to check the kept counts.
    [[nodiscard]] virtual Result<records::OutcomeCounts> recount(core::OperationId operation) = 0;
};

} // namespace store
