#pragma once

#include "backend/core/result.h"
#include "backend/store/retry/retryrecords.h"

#include <QList>

#include <optional>

namespace store {

using core::Result;

class BatchRows;
class Database;

// The number of batches of one operation, and the newest finished ones.
struct BatchTally
{
    int total = 0;
    int done = 0;
    QList<records::RetryBatch> newestDone; // newest first
};

// Whose batches: of the running session, or of earlier ones, whose process has ended.
enum class MarkedBy { ThisSession, OtherSession };

// Reads the batches of retries and their members. Also works in Store::read. Engine thread.
class RetryBatchStore final
{
public:
    RetryBatchStore(Database &database, BatchRows &rows);
    RetryBatchStore(const RetryBatchStore &) = delete;
    RetryBatchStore &operator=(const RetryBatchStore &) = delete;

    [[nodiscard]] Result<records::RetryBatch> load(core::BatchId id);
    // All batches of one operation, oldest first.
    [[nodiscard]] Result<QList<records::RetryBatch>> ofOperation(core::OperationId operation);
    // The count of these batches, with the newest `newestDone` finished ones; the cost does not grow with their number.
    [[nodiscard]] Result<BatchTally> tally(core::OperationId operation, int newestDone);
    // Batches that are not Done, oldest first. Invalid connection: of all connections.
    [[nodiscard]] Result<QList<records::RetryBatch>> live(core::ConnectionId connection, int limit);
    // Batches in MarkingDocuments, oldest first: what a crash of another session, or a failed transaction of this one, left
    // in the middle of step claim.
    [[nodiscard]] Result<QList<records::RetryBatch>> marking(core::ConnectionId connection, const QString &session,
                                                             MarkedBy who, int limit);
    // Batches of one operation before Forwarding, oldest first, except `without`.
    [[nodiscard]] Result<QList<records::RetryBatch>> toStage(core::OperationId operation,
                                                             const QList<core::BatchId> &without, int limit);
    // Batches that are not Done, for display: operations take turns, the batch nearest to its end first; sorted by id.
    [[nodiscard]] Result<QList<records::RetryBatch>> inTurn(int limit);
    [[nodiscard]] Result<QList<RetryMember>> membersOf(core::BatchId batch);
    // Members after ordinal `after`, in order; outcome nothing: all.
    [[nodiscard]] Result<QList<RetryMember>> members(core::OperationId operation,
                                                     std::optional<records::Outcome> outcome, qint64 after, int limit);
    // Counts the member rows themselves, to check the kept counts.
    [[nodiscard]] Result<records::OutcomeCounts> recount(core::OperationId operation);

private:
    Database &m_database;
    BatchRows &m_rows;
};

} // namespace store
