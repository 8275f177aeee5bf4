#pragma once

#include "backend/core/result.h"

#include <memory>

namespace store {

using core::Result;

class ConnectionStore;
class ConventionStore;
class Database;
class EventStore;
class EvidenceStore;
class GroupMarkStore;
class IntakeStore;
class MessageStore;
class PipelineStore;
class PolicyStore;
class RetentionStore;
class RetryStore;
class SampleStore;
class TransactionCounters;

// The repositories inside one call of Store::transact or Store::read (store.h). Each has a header of its own beside this
// one. The references are valid only until that call returns: keep none. A session lives as long as its connection to
// the database, so compiled statements, known groups and conventions stay in memory.
class Session final
{
public:
    explicit Session(Database &database);
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;
    ~Session();

    [[nodiscard]] ConnectionStore &connections();
    [[nodiscard]] MessageStore &messages();
    [[nodiscard]] RetryStore &retries();
    [[nodiscard]] IntakeStore &intakes();
    [[nodiscard]] EventStore &events();
    [[nodiscard]] SampleStore &samples();
    [[nodiscard]] EvidenceStore &evidence();
    [[nodiscard]] RetentionStore &retention();
    [[nodiscard]] GroupMarkStore &groupMarks();
    [[nodiscard]] PolicyStore &policies();
    [[nodiscard]] PipelineStore &pipelines();
    [[nodiscard]] ConventionStore &conventions();

    // The change number: every write to a failed message increases it, and it never decreases. A caller that keeps it
    // can tell later what changed since. Readable in transact and in read.
    [[nodiscard]] Result<qint64> changeNumber();

    // For whoever begins and ends the transactions: the counts to write before a commit.
    [[nodiscard]] TransactionCounters &counters();
    // Likewise: the transaction was rolled back. Forgets everything that was remembered from it.
    void rolledBack();

private:
    struct Repositories;
    std::unique_ptr<Repositories> m_all;
};

} // namespace store
