#pragma once

#include "backend/store/database/statement.h"
#include "backend/store/retry/retryrecords.h"

#include <QVariantList>

#include <optional>

namespace store {

class Database;

// The rows of retry_batch and retry_member as the repositories of a retry read them. Only RetryLedger writes them.
class BatchRows final
{
public:
    explicit BatchRows(Database &database);
    BatchRows(const BatchRows &) = delete;
    BatchRows &operator=(const BatchRows &) = delete;

    [[nodiscard]] Result<records::RetryBatch> load(core::BatchId id);
    // Conflict: the batch is in another stage.
    [[nodiscard]] Result<records::RetryBatch> loadIn(core::BatchId id, records::BatchStage stage);
    // `condition`: the SQL after the table's name.
    [[nodiscard]] Result<QList<records::RetryBatch>> where(const QString &condition, const QVariantList &values);
    [[nodiscard]] Result<std::optional<records::RetryBatch>> nowForwarding(core::ConnectionId connection);

    [[nodiscard]] Result<QList<RetryMember>> members(core::BatchId id);
    [[nodiscard]] Result<QList<RetryMember>> members(core::BatchId id, records::Outcome outcome);
    [[nodiscard]] Result<bool> hasStaged(core::BatchId id);
    // Its Staged members, with or without an open intent.
    [[nodiscard]] Result<QList<RetryMember>> stagedMembers(core::BatchId id, bool intent);
    // `condition`: the SQL after retry_member m and its failed_message f.
    [[nodiscard]] Result<QList<RetryMember>> membersWhere(const QString &condition, const QVariantList &values);
    // Of rows with memberColumns() (retrysql.h).
    [[nodiscard]] static Result<QList<RetryMember>> readMembers(Statement &rows);

    // Adds the members whose messages were removed by retention. Invalid batch: of the whole operation.
    [[nodiscard]] Result<records::OutcomeCounts> withGone(const records::OutcomeCounts &counts, core::OperationId id,
                                                          core::BatchId batch);

private:
    Database &m_database;
};

} // namespace store
