#include "backend/store/retry/batchrows.h"

#include "backend/store/database/database.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/retry/retrysql.h"

namespace store {

using core::ErrorKind;
using core::fail;
using records::BatchStage;
using records::Outcome;

static const QString batchColumns =
    QStringLiteral("id, operation, connection, number, first_ordinal, last_ordinal, session,"
                   " stage, staging_id, place, mark, staged_count, ");
static Result<QList<records::RetryBatch>> readBatches(Statement &rows)
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

BatchRows::BatchRows(Database &database)
    : m_database(database)
{
}

Result<records::RetryBatch> BatchRows::load(core::BatchId id)
{
    TRY(const QList<records::RetryBatch> found, where(QStringLiteral("WHERE id = ?"), {id.value}));
    if (found.isEmpty())
        return fail(ErrorKind::NotFound, QStringLiteral("There is no retry batch %1.").arg(id.value));
    return found.first();
}

Result<QList<records::RetryBatch>> BatchRows::where(const QString &condition, const QVariantList &values)
{
    Statement rows = m_database.sql(QStringLiteral("SELECT ") + batchColumns + countColumns()
                                    + QStringLiteral(" FROM retry_batch ") + condition);
    rows.bindAll(values);
    return readBatches(rows);
}

Result<records::RetryBatch> BatchRows::loadIn(core::BatchId id, BatchStage stage)
{
    Result<records::RetryBatch> found = load(id);
    if (found && found->stage != stage) {
        return fail(ErrorKind::Conflict, QStringLiteral("Retry batch %1 is in stage %2, not %3.")
                                             .arg(id.value)
                                             .arg(records::toString(found->stage), records::toString(stage)));
    }
    return found;
}

Result<records::OutcomeCounts> BatchRows::withGone(const records::OutcomeCounts &counts, core::OperationId id,
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

Result<std::optional<records::RetryBatch>> BatchRows::nowForwarding(core::ConnectionId connection)
{
    core::BatchId id;
    {
        Statement row = m_database.sql(QStringLiteral("SELECT batch FROM now_forwarding WHERE connection = ?"));
        TRY(const bool found, row.bind(connection).step());
        if (!found)
            return std::optional<records::RetryBatch>{};
        id = {row.integer(0)};
    }
    TRY(const records::RetryBatch now, load(id));
    return std::optional<records::RetryBatch>{now};
}

Result<QList<RetryMember>> BatchRows::readMembers(Statement &rows)
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

Result<QList<RetryMember>> BatchRows::membersWhere(const QString &condition, const QVariantList &values)
{
    Statement rows =
        m_database.sql(memberColumns()
                       + QStringLiteral(" FROM retry_member m JOIN failed_message f ON f.id = m.message ") + condition);
    return readMembers(rows.bindAll(values));
}

Result<QList<RetryMember>> BatchRows::members(core::BatchId id)
{
    return membersWhere(QStringLiteral("WHERE m.batch = ? AND m.batch > 0 ORDER BY m.ordinal"), {id.value});
}

Result<QList<RetryMember>> BatchRows::members(core::BatchId id, Outcome outcome)
{
    return membersWhere(QStringLiteral("WHERE m.batch = ? AND m.batch > 0 AND m.outcome = ? ORDER BY m.ordinal"),
                        {id.value, int(outcome)});
}

Result<bool> BatchRows::hasStaged(core::BatchId id)
{
    Statement row = m_database.sql(
        QStringLiteral("SELECT 1 FROM retry_member WHERE batch = ? AND batch > 0 AND outcome = ? LIMIT 1"));
    return row.bind(id, Outcome::Staged).step();
}

Result<QList<RetryMember>> BatchRows::stagedMembers(core::BatchId id, bool intent)
{
    return membersWhere(
        QStringLiteral("WHERE m.batch = ? AND m.batch > 0 AND m.outcome = %1 AND m.intent = ? ORDER BY m.ordinal")
            .arg(numberOf(Outcome::Staged)),
        {id.value, intent ? 1 : 0});
}

} // namespace store
