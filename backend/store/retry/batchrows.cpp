#include "backend/store/retry/batchrows.h"

#include "backend/records/rules/memberrules.h"
#include "backend/store/database/database.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/retrysql.h"

#include <algorithm>

namespace store {

using core::ErrorKind;
using core::fail;
using records::BatchStage;
using records::MessageStatus;
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

BatchRows::BatchRows(Database &database, MessageStore &messages)
    : m_database(database)
    , m_messages(messages)
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

Result<> BatchRows::setStage(core::BatchId id, BatchStage stage)
{
    TRY(m_database.execute(QStringLiteral("UPDATE retry_batch SET stage = ? WHERE id = ?"), {int(stage), id.value}));
    return {};
}

Result<> BatchRows::recount(core::BatchId id)
{
    TRY(const records::RetryBatch before, load(id));
    Statement rows = m_database.sql(countMembers() + QStringLiteral("batch = ? AND batch > 0 GROUP BY outcome"));
    TRY(const records::OutcomeCounts there, countsByOutcome(rows.bind(id)));
    TRY(const records::OutcomeCounts after, withGone(there, before.operation, id));
    return keepCounts(before, after);
}

Result<> BatchRows::keepCounts(const records::RetryBatch &before, const records::OutcomeCounts &after)
{
    const records::OutcomeCounts delta = difference(after, before.counts);
    if (delta == records::OutcomeCounts{})
        return {};
    const QString all = QStringLiteral("(%1)").arg(countColumns());
    TRY(m_database.execute(
        QStringLiteral("UPDATE retry_batch SET %1 = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?").arg(all),
        valuesOf(after) + QVariantList{before.id.value}));
    TRY(m_database.execute(
        QStringLiteral("UPDATE retry_operation SET pending = pending + ?, claimed = claimed + ?, staged = staged + ?,"
                       " sent = sent + ?, skipped = skipped + ?, ejected = ejected + ?, in_doubt = in_doubt + ?,"
                       " cancelled = cancelled + ?, came_back = came_back + ?,"
                       " possible_duplicates = possible_duplicates + ? WHERE id = ?"),
        valuesOf(delta) + QVariantList{before.operation.value}));
    return {};
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

Result<> BatchRows::endMembers(const records::RetryBatch &of, Outcome from, Outcome to,
                               const QList<MemberReason> &members)
{
    QList<core::MessageId> freed;
    QList<core::MessageId> doubtful;
    for (const MemberReason &member : members) {
        Statement browse =
            m_database.sql(QStringLiteral("SELECT message, possible_duplicate, came_back FROM retry_member"
                                          " WHERE operation = ? AND ordinal = ? AND batch = ? AND outcome = ?"));
        TRY(const bool found, browse.bind(of.operation, member.ordinal, of.id, from).step());
        if (!found)
            continue;
        const core::MessageId message{browse.integer(0)};
        const bool maybeOut = browse.integer(1) != 0;
        const bool back = browse.integer(2) != 0;
        TRY(browse.step());
        const Outcome outcome = records::endOf(to, maybeOut, back);
        Statement end = m_database.sql(QStringLiteral("UPDATE retry_member SET outcome = ?, intent = 0, reason = ?"
                                                      " WHERE operation = ? AND ordinal = ?"));
        TRY(end.bind(outcome, member.reason, of.operation, member.ordinal).run());
        if (outcome == Outcome::InDoubt)
            doubtful.append(message);
        if (records::mayHaveArrived(outcome))
            continue;
        Statement release =
            m_database.sql(QStringLiteral("UPDATE claim SET live = 0 WHERE message = ? AND operation = ?"
                                          " AND ordinal = ? AND live = 1"));
        TRY(const int released, release.bind(message, of.operation, member.ordinal).run());
        if (released > 0)
            freed.append(message);
    }
    TRY(m_messages.setStatus(freed, {MessageStatus::RetryIssued}, MessageStatus::Unresolved));
    TRY(m_messages.setStatus(doubtful, {MessageStatus::Unresolved}, MessageStatus::RetryIssued));
    TRY(releaseClaims(of.operation, doubtful));
    return recount(of.id);
}

Result<> BatchRows::releaseClaims(core::OperationId operation, const QList<core::MessageId> &messages)
{
    if (messages.isEmpty())
        return {};
    QList<qint64> ids;
    for (const core::MessageId message : messages)
        ids.append(message.value);
    Statement release = m_database.sql(QStringLiteral("UPDATE claim SET live = 0 WHERE live = 1 AND operation = ?"
                                                      " AND message IN (SELECT f.id FROM " SQL_LIST
                                                      " j JOIN failed_message f ON f.id = j.value"
                                                      " WHERE f.status <> ?)"));
    TRY(release.bind(operation, listOf(ids), MessageStatus::RetryIssued).run());
    return {};
}

Result<core::BatchId> BatchRows::newBatch(const records::RetryBatch &like, const QString &session,
                                          const QList<qint64> &ordinals)
{
    const auto [first, last] = std::minmax_element(ordinals.begin(), ordinals.end());
    Statement insert = m_database.sql(QStringLiteral(
        "INSERT INTO retry_batch (operation, connection, number, first_ordinal, last_ordinal, session, stage)"
        " SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ?, ?, ? FROM retry_batch WHERE operation = ? RETURNING id"));
    TRY(insert.bind(like.operation, like.connection, *first, *last, session, like.stage, like.operation).step());
    return core::BatchId{insert.integer(0)};
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

Result<QList<RetryMember>> BatchRows::stagedMembers(core::BatchId id, bool intent)
{
    return membersWhere(
        QStringLiteral("WHERE m.batch = ? AND m.batch > 0 AND m.outcome = %1 AND m.intent = ? ORDER BY m.ordinal")
            .arg(numberOf(Outcome::Staged)),
        {id.value, intent ? 1 : 0});
}

} // namespace store
