#pragma once

#include "backend/core/result.h"

#include <memory>

namespace store {

using core::Result;

class ClaimStore;
class ConnectionStore;
class ConventionStore;
class Database;
class EventStore;
class EvidenceStore;
class ForwardingStore;
class FrozenSetStore;
class GroupMarkStore;
class HeldMessageStore;
class IntakeStore;
class IntentStore;
class MessageStore;
class PipelineStore;
class PolicyStore;
class RetentionStore;
class RetryBatchStore;
class RetryGuardStore;
class RetryOperationStore;
class SampleStore;
class StagingStore;
class TransactionCounters;

// The repositories inside one call of Store::transact or Store::read (store.h). Each has a header of its own, in
// messages/, retry/, policies/ or beside this one. The references are valid only until that call returns: keep none. A
// session lives as long as its connection to the database, so compiled statements, known groups and conventions stay in
// memory.
//
// A message goes back in these steps. Each call is part of the caller's transaction and is complete or rolled back with
// it; those that only read also work in Store::read.
//  - freeze: the operation gets its frozen set (RetryOperationStore::add, FrozenSetStore::freeze; then update from
//    Freezing to Waiting). It takes several transactions; an operation that a crash left in Freezing is discarded.
//  - claim: a batch takes the next members and claims their messages (StagingStore::addBatch, claimMembers,
//    beginStaging). Each of the three is a transaction of its own; the next start does what is missing.
//  - nameStaging (StagingStore::nameStaging), one transaction: the batch has a staging id and a place, before anything of
//    that name is on the broker.
//  - commitStaged (StagingStore::beginForwarding), one transaction: the staged copies count; the connection's forwarding
//    pointer names the batch.
//  - recordOutcomes (ForwardingStore::finishForwarding), one transaction: each member has its outcome, the batch is Done,
//    the pointer is free.
// A batch without a staging queue is sent from the intent log. Between commitStaged and recordOutcomes it repeats two
// steps:
//  - recordIntents (IntentStore::writeIntents): before a message is sent, its intent is stored.
//  - recordOutcomes (IntentStore::writeOutcomes): after the answer, its outcome is stored and the intent is closed.
// backend/retry/README.md says what each step leaves after a crash and how the next start continues.
//
// All calls of a retry keep these rules:
//  - The counts of operation and batch change in the same transaction as the members (RetryBatchStore::recount proves it).
//  - A member that ends as neither Sent nor InDoubt releases its claim; a message that was RetryIssued through that
//    claim is Unresolved again. The claim of a message that is Released, or was archived before it came into doubt, is
//    released too.
//  - Batch stages only move forward. Conflict: the batch is in another stage than the call needs.
//  - NotFound: a call that loads the operation or the batch does not find it.
// A list of ordinals belongs to one operation and has at most limits::batchMembers entries.
class Session final
{
public:
    explicit Session(Database &database);
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;
    ~Session();

    [[nodiscard]] ConnectionStore &connections();
    [[nodiscard]] MessageStore &messages();
    [[nodiscard]] IntakeStore &intakes();
    [[nodiscard]] EventStore &events();
    [[nodiscard]] SampleStore &samples();
    [[nodiscard]] EvidenceStore &evidence();
    [[nodiscard]] RetentionStore &retention();
    [[nodiscard]] GroupMarkStore &groupMarks();
    [[nodiscard]] PolicyStore &policies();
    [[nodiscard]] HeldMessageStore &heldMessages();
    [[nodiscard]] PipelineStore &pipelines();
    [[nodiscard]] ConventionStore &conventions();

    // Of a retry, in the order of its steps.
    [[nodiscard]] RetryOperationStore &retryOperations();
    [[nodiscard]] FrozenSetStore &frozenSets();
    [[nodiscard]] RetryGuardStore &retryGuards();
    [[nodiscard]] RetryBatchStore &retryBatches();
    [[nodiscard]] StagingStore &staging();
    [[nodiscard]] ForwardingStore &forwarding();
    [[nodiscard]] IntentStore &intents();
    [[nodiscard]] ClaimStore &claims();

    // The change number: every write to a failed message increases it, and it never decreases. A caller that keeps it
    // can tell later what changed since. Readable in transact and in read.
    [[nodiscard]] Result<qint64> changeNumber();

private:
    // For those who begin and end the transactions.
    friend class DatabaseStore;
    friend class StoreCopier;
    friend class StoreRestore;
    [[nodiscard]] TransactionCounters &counters(); // to be written before a commit
    void rolledBack(); // forgets everything that was remembered from the transaction

    struct Repositories;
    std::unique_ptr<Repositories> m_all;
};

} // namespace store
