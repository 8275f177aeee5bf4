#include "backend/store/retry/retrybatchstore.h"

#include "backend/store/database/database.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/retry/batchrows.h"
#include "backend/store/retry/retrysql.h"

namespace store {

using core::ErrorKind;
using core::fail;
using records::BatchStage;

RetryBatchStore::RetryBatchStore(Database &database, BatchRows &rows)
    : m_database(database)
    , m_rows(rows)
{
}

Result<records::RetryBatch> RetryBatchStore::load(core::BatchId id)
{
    return m_rows.load(id);
}

Result<QList<records::RetryBatch>> RetryBatchStore::ofOperation(core::OperationId id)
{
    return m_rows.where(QStringLiteral("WHERE operation = ? ORDER BY number"), {id.value});
}

// Batch numbers have no gaps, and few batches are not Done: neither count needs a walk over all of them.
Result<BatchTally> RetryBatchStore::tally(core::OperationId id, int newestDone)
{
    BatchTally tally;
    {
        Statement row = m_database.sql(
            QStringLiteral("SELECT (SELECT coalesce(max(number), 0) FROM retry_batch WHERE operation = o.id),"
                           " (SELECT count(*) FROM retry_batch " SQL_USING_INDEX(
                               "batch_live") " WHERE connection = o.connection AND stage < %1 AND operation = o.id) "
                                             "FROM retry_operation "
                                             "o WHERE o.id = ?")
                .arg(numberOf(records::BatchStage::Done)));
        TRY(const bool found, row.bind(id).step());
        if (!found)
            return fail(ErrorKind::NotFound, QStringLiteral("There is no retry operation %1.").arg(id.value));
        tally.total = int(row.integer(0));
        tally.done = tally.total - int(row.integer(1));
    }
    if (newestDone <= 0)
        return tally;
    TRY(tally.newestDone, m_rows.where(QStringLiteral("WHERE operation = ? AND stage = %1 ORDER BY number DESC LIMIT ?")
                                           .arg(numberOf(records::BatchStage::Done)),
                                       {id.value, newestDone}));
    return tally;
}

Result<QList<records::RetryBatch>> RetryBatchStore::live(core::ConnectionId connection, int limit)
{
    return m_rows.where(QStringLiteral("WHERE stage < %1 AND (connection = ? OR ? = 0) ORDER BY id LIMIT ?")
                            .arg(numberOf(BatchStage::Done)),
                        {connection.value, connection.value, limit});
}

Result<QList<records::RetryBatch>> RetryBatchStore::marking(core::ConnectionId connection, const QString &session,
                                                            MarkedBy who, int limit)
{
    return m_rows.where(
        QStringLiteral("WHERE stage = %1 AND stage < %2 AND connection = ? AND session %3 ? ORDER BY id LIMIT ?")
            .arg(numberOf(BatchStage::MarkingDocuments), numberOf(BatchStage::Done),
                 who == MarkedBy::ThisSession ? QStringLiteral("=") : QStringLiteral("<>")),
        {connection.value, session, limit});
}

// Uses the index of live batches: an operation may have thousands of finished ones.
Result<QList<records::RetryBatch>> RetryBatchStore::toStage(core::OperationId id, const QList<core::BatchId> &without,
                                                            int limit)
{
    QList<qint64> out;
    for (const core::BatchId one : without)
        out.append(one.value);
    return m_rows.where(QStringLiteral(SQL_USING_INDEX("batch_live") " WHERE stage < %1 AND stage < %2"
                                                                     " AND connection = (SELECT connection FROM "
                                                                     "retry_operation WHERE id = ?) AND operation = ?"
                                                                     " AND id NOT IN " SQL_LIST_VALUES
                                                                     " ORDER BY id LIMIT ?")
                            .arg(numberOf(BatchStage::Done), numberOf(BatchStage::Forwarding)),
                        {id.value, id.value, listOf(out), limit});
}

Result<QList<records::RetryBatch>> RetryBatchStore::inTurn(int limit)
{
    return m_rows.where(QStringLiteral("WHERE id IN (SELECT id FROM (SELECT id, row_number() OVER"
                                       " (PARTITION BY operation ORDER BY stage DESC, id) AS turn"
                                       " FROM retry_batch WHERE stage < %1) t ORDER BY turn, id LIMIT ?) ORDER BY id")
                            .arg(numberOf(BatchStage::Done)),
                        {limit});
}

Result<QList<RetryMember>> RetryBatchStore::membersOf(core::BatchId id)
{
    return m_rows.members(id);
}

Result<QList<RetryMember>> RetryBatchStore::members(core::OperationId id, std::optional<records::Outcome> outcome,
                                                    qint64 after, int limit)
{
    const QString narrowed = outcome ? QStringLiteral(" AND m.outcome = %1").arg(numberOf(*outcome)) : QString{};
    return m_rows.membersWhere(QStringLiteral("WHERE m.operation = ? AND m.ordinal > ?") + narrowed
                                   + QStringLiteral(" ORDER BY m.ordinal LIMIT ?"),
                               {id.value, after, limit});
}

Result<records::OutcomeCounts> RetryBatchStore::recount(core::OperationId id)
{
    Statement rows = m_database.sql(countMembers() + QStringLiteral("operation = ? GROUP BY outcome"));
    TRY(const records::OutcomeCounts there, countsByOutcome(rows.bind(id)));
    return m_rows.withGone(there, id, {});
}

} // namespace store
