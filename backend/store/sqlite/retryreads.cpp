// Reads batches and members of the retry store.
#include "backend/store/sqlite/database.h"
#include "backend/store/sqlite/enumsql.h"
#include "backend/store/sqlite/retrysql.h"
#include "backend/store/sqlite/sqliteretrystore.h"

namespace store {

using core::ErrorKind;
using core::fail;

namespace {

const QString batchColumns = QStringLiteral("id, operation, connection, number, first_ordinal, last_ordinal, session,"
                                            " stage, staging_id, place, mark, staged_count, ");
const QString memberSelect =
    memberColumns() + QStringLiteral(" FROM retry_member m JOIN failed_message f ON f.id = m.message ");

} // namespace

Result<QList<records::RetryBatch>> SqliteRetryStore::readBatches(Statement &rows)
{
    QList<records::RetryBatch> found;
    TRY(rows.each([&] {
        records::RetryBatch b;
        b.id = {rows.integer(0)};
        b.operation = {rows.integer(1)};
        b.connection = {rows.integer(2)};
        b.number = int(rows.integer(3));
        b.firstOrdinal = rows.integer(4);
        b.lastOrdinal = rows.integer(5);
        b.session = rows.text(6);
        b.stage = rows.as<records::BatchStage>(7);
        b.stagingId = rows.text(8);
        b.place = rows.text(9);
        b.mark = rows.text(10);
        b.stagedCount = int(rows.integer(11));
        b.counts = countsFrom(rows, 12);
        found.append(b);
    }));
    return found;
}

Result<records::RetryBatch> SqliteRetryStore::batch(core::BatchId id)
{
    Statement rows = m_database.sql(QStringLiteral("SELECT ") + batchColumns + countColumns()
                                    + QStringLiteral(" FROM retry_batch WHERE id = ?"));
    rows.bind(id);
    TRY(const QList<records::RetryBatch> found, readBatches(rows));
    if (found.isEmpty())
        return fail(ErrorKind::NotFound, QStringLiteral("There is no retry batch %1.").arg(id.value));
    return found.first();
}

Result<QList<records::RetryBatch>> SqliteRetryStore::batches(core::OperationId id)
{
    Statement rows = m_database.sql(QStringLiteral("SELECT ") + batchColumns + countColumns()
                                    + QStringLiteral(" FROM retry_batch WHERE operation = ? ORDER BY number"));
    rows.bind(id);
    return readBatches(rows);
}

// Batch numbers have no gaps, and few batches are not Done: neither count needs a walk over all of them.
Result<BatchTally> SqliteRetryStore::tallyBatches(core::OperationId id, int newestDone)
{
    BatchTally tally;
    {
        Statement row = m_database.sql(
            QStringLiteral("SELECT (SELECT coalesce(max(number), 0) FROM retry_batch WHERE operation = o.id),"
                           " (SELECT count(*) FROM retry_batch INDEXED BY batch_live"
                           " WHERE connection = o.connection AND stage < %1 AND operation = o.id) FROM retry_operation "
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
    TRY(tally.newestDone, batchesWhere(QStringLiteral("WHERE operation = ? AND stage = %1 ORDER BY number DESC LIMIT ?")
                                           .arg(numberOf(records::BatchStage::Done)),
                                       {id.value, newestDone}));
    return tally;
}

Result<QList<records::RetryBatch>> SqliteRetryStore::batchesWhere(const QString &condition, const QVariantList &values)
{
    Statement rows = m_database.sql(QStringLiteral("SELECT ") + batchColumns + countColumns()
                                    + QStringLiteral(" FROM retry_batch ") + condition);
    rows.bindAll(values);
    return readBatches(rows);
}

Result<QList<RetryMember>> SqliteRetryStore::readMembers(Statement &rows)
{
    QList<RetryMember> found;
    TRY(rows.each([&] {
        RetryMember m;
        m.operation = {rows.integer(0)};
        m.ordinal = rows.integer(1);
        m.message = {rows.integer(2)};
        m.uniqueId = rows.text(3);
        m.destination = rows.text(4);
        m.batch = {rows.integer(5)};
        m.outcome = rows.as<Outcome>(6);
        m.attempt = int(rows.integer(7));
        m.stageAttempts = int(rows.integer(8));
        m.intent = rows.integer(9) != 0;
        m.cameBack = rows.integer(10) != 0;
        m.possibleDuplicate = rows.integer(11) != 0;
        m.reason = rows.text(12);
        m.deliverAt = rows.optionalTime(13);
        found.append(m);
    }));
    return found;
}

Result<QList<RetryMember>> SqliteRetryStore::batchMembers(core::BatchId id)
{
    Statement rows =
        m_database.sql(memberSelect + QStringLiteral("WHERE m.batch = ? AND m.batch > 0 ORDER BY m.ordinal"));
    rows.bind(id);
    return readMembers(rows);
}

Result<QList<RetryMember>> SqliteRetryStore::unsent(core::BatchId id)
{
    return stagedMembers(id, false);
}

Result<QList<RetryMember>> SqliteRetryStore::openIntents(core::BatchId id)
{
    return stagedMembers(id, true);
}

Result<QList<RetryMember>> SqliteRetryStore::stagedMembers(core::BatchId id, bool intent)
{
    Statement rows =
        m_database.sql(memberSelect
                       + QStringLiteral("WHERE m.batch = ? AND m.batch > 0 AND m.outcome = %1 AND m.intent = ?"
                                        " ORDER BY m.ordinal")
                             .arg(numberOf(Outcome::Staged)));
    rows.bind(id, intent);
    return readMembers(rows);
}

Result<QList<RetryMember>> SqliteRetryStore::members(core::OperationId id, std::optional<records::Outcome> outcome,
                                                     qint64 after, int limit)
{
    const QString narrowed = outcome ? QStringLiteral(" AND m.outcome = %1").arg(numberOf(*outcome)) : QString{};
    Statement rows = m_database.sql(memberSelect + QStringLiteral("WHERE m.operation = ? AND m.ordinal > ?") + narrowed
                                    + QStringLiteral(" ORDER BY m.ordinal LIMIT ?"));
    rows.bind(id, after, limit);
    return readMembers(rows);
}

Result<qint64> SqliteRetryStore::inDoubtTotal()
{
    Statement row = m_database.sql(
        QStringLiteral("SELECT coalesce(sum(in_doubt), 0) FROM retry_operation INDEXED BY operation_in_doubt"
                       " WHERE in_doubt > 0"));
    TRY(row.step());
    return row.integer(0);
}

Result<records::OutcomeCounts> SqliteRetryStore::recount(core::OperationId id)
{
    Statement rows = m_database.sql(countMembers() + QStringLiteral("operation = ? GROUP BY outcome"));
    TRY(const records::OutcomeCounts there, countsByOutcome(rows.bind(id)));
    return withGone(there, id, {});
}

// Adds the members whose messages were removed by retention. Invalid batch: of the whole operation.
Result<records::OutcomeCounts> SqliteRetryStore::withGone(const records::OutcomeCounts &counts, core::OperationId id,
                                                          core::BatchId batch)
{
    QStringList sums;
    const QStringList columns = countColumns().split(QStringLiteral(", "));
    for (const QString &column : columns)
        sums.append(QStringLiteral("coalesce(sum(%1), 0)").arg(column));
    Statement row = m_database.sql(
        QStringLiteral("SELECT %1 FROM member_gone WHERE operation = ? AND (batch = ? OR ? = 0)").arg(sums.join(u',')));
    TRY(row.bind(id, batch, batch).step());
    return sum(counts, countsFrom(row, 0));
}

} // namespace store
