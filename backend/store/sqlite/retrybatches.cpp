// Batches of the retry store: the steps claim, nameStaging and commitStaged.
#include "backend/core/limits.h"
#include "backend/records/rules/memberrules.h"
#include "backend/store/messagestore.h"
#include "backend/store/sqlite/database.h"
#include "backend/store/sqlite/enumsql.h"
#include "backend/store/sqlite/retrysql.h"
#include "backend/store/sqlite/sqliteretrystore.h"

#include <QHash>

#include <algorithm>

namespace store {

using core::ErrorKind;
using core::fail;
using records::BatchStage;
using records::MessageStatus;

Result<records::RetryBatch> SqliteRetryStore::batchIn(core::BatchId id, BatchStage stage)
{
    Result<records::RetryBatch> found = batch(id);
    if (found && found->stage != stage) {
        return fail(ErrorKind::Conflict, QStringLiteral("Retry batch %1 is in stage %2, not %3.")
                                             .arg(id.value)
                                             .arg(records::toString(found->stage), records::toString(stage)));
    }
    return found;
}

Result<QList<records::RetryBatch>> SqliteRetryStore::liveBatches(core::ConnectionId connection, int limit)
{
    return batchesWhere(QStringLiteral("WHERE stage < %1 AND (connection = ? OR ? = 0) ORDER BY id LIMIT ?")
                            .arg(numberOf(BatchStage::Done)),
                        {connection.value, connection.value, limit});
}

Result<QList<records::RetryBatch>> SqliteRetryStore::markingBatches(core::ConnectionId connection, int limit)
{
    return batchesWhere(QStringLiteral("WHERE stage = %1 AND stage < %2 AND connection = ? ORDER BY id LIMIT ?")
                            .arg(numberOf(BatchStage::MarkingDocuments), numberOf(BatchStage::Done)),
                        {connection.value, limit});
}

// Uses the index of live batches: an operation may have thousands of finished ones.
Result<QList<records::RetryBatch>> SqliteRetryStore::batchesToStage(core::OperationId id,
                                                                    const QList<core::BatchId> &without, int limit)
{
    QList<qint64> out;
    for (const core::BatchId one : without)
        out.append(one.value);
    return batchesWhere(
        QStringLiteral("INDEXED BY batch_live WHERE stage < %1 AND stage < %2"
                       " AND connection = (SELECT connection FROM retry_operation WHERE id = ?) AND operation = ?"
                       " AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?")
            .arg(numberOf(BatchStage::Done), numberOf(BatchStage::Forwarding)),
        {id.value, id.value, jsonList(out), limit});
}

Result<QList<records::RetryBatch>> SqliteRetryStore::batchesInTurn(int limit)
{
    return batchesWhere(QStringLiteral("WHERE id IN (SELECT id FROM (SELECT id, row_number() OVER"
                                       " (PARTITION BY operation ORDER BY stage DESC, id) AS turn"
                                       " FROM retry_batch WHERE stage < %1) ORDER BY turn, id LIMIT ?) ORDER BY id")
                            .arg(numberOf(BatchStage::Done)),
                        {limit});
}

Result<> SqliteRetryStore::setStage(core::BatchId id, BatchStage stage)
{
    TRY(execute(QStringLiteral("UPDATE retry_batch SET stage = ? WHERE id = ?"), {int(stage), id.value}));
    return {};
}

Result<> SqliteRetryStore::recountBatch(core::BatchId id)
{
    TRY(const records::RetryBatch before, batch(id));
    Statement rows = m_database.sql(countMembers() + QStringLiteral("batch = ? AND batch > 0 GROUP BY outcome"));
    TRY(const records::OutcomeCounts there, countsByOutcome(rows.bind(id)));
    TRY(const records::OutcomeCounts after, withGone(there, before.operation, id));
    return keepCounts(before, after);
}

Result<> SqliteRetryStore::keepCounts(const records::RetryBatch &before, const records::OutcomeCounts &after)
{
    const records::OutcomeCounts delta = difference(after, before.counts);
    if (delta == records::OutcomeCounts{})
        return {};
    const QString all = QStringLiteral("(%1)").arg(countColumns());
    TRY(execute(QStringLiteral("UPDATE retry_batch SET %1 = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?").arg(all),
                valuesOf(after) + QVariantList{before.id.value}));
    TRY(execute(
        QStringLiteral("UPDATE retry_operation SET pending = pending + ?, claimed = claimed + ?, staged = staged + ?,"
                       " sent = sent + ?, skipped = skipped + ?, ejected = ejected + ?, in_doubt = in_doubt + ?,"
                       " cancelled = cancelled + ?, came_back = came_back + ?,"
                       " possible_duplicates = possible_duplicates + ? WHERE id = ?"),
        valuesOf(delta) + QVariantList{before.operation.value}));
    return {};
}

Result<> SqliteRetryStore::endMembers(const records::RetryBatch &of, Outcome from, Outcome to,
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
    return recountBatch(of.id);
}

// Releases the operation's claims on those of these messages that are not being sent. For archived or released messages
// nobody else would ever release them, and no later retry could claim the message.
Result<> SqliteRetryStore::releaseClaims(core::OperationId operation, const QList<core::MessageId> &messages)
{
    if (messages.isEmpty())
        return {};
    QList<qint64> ids;
    for (const core::MessageId message : messages)
        ids.append(message.value);
    Statement release = m_database.sql(
        QStringLiteral("UPDATE claim SET live = 0 WHERE live = 1 AND operation = ?"
                       " AND message IN (SELECT f.id FROM json_each(?) j JOIN failed_message f ON f.id = j.value"
                       " WHERE f.status <> ?)"));
    TRY(release.bind(operation, jsonList(ids), MessageStatus::RetryIssued).run());
    return {};
}

// The counts of the new batch are 0 until recountBatch: the caller moves the members and also recounts the old batches.
Result<core::BatchId> SqliteRetryStore::newBatch(const records::RetryBatch &like, const QString &session,
                                                 const QList<qint64> &ordinals)
{
    const auto [first, last] = std::minmax_element(ordinals.begin(), ordinals.end());
    Statement insert = m_database.sql(QStringLiteral(
        "INSERT INTO retry_batch (operation, connection, number, first_ordinal, last_ordinal, session, stage)"
        " SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ?, ?, ? FROM retry_batch WHERE operation = ? RETURNING id"));
    TRY(insert.bind(like.operation, like.connection, *first, *last, session, like.stage, like.operation).step());
    return core::BatchId{insert.integer(0)};
}

// ---- marking -----------------------------------------------------------------------------------------------------

Result<std::optional<records::RetryBatch>> SqliteRetryStore::addBatch(core::OperationId id, const QString &session,
                                                                      int members)
{
    TRY(const records::RetryOperation of, operation(id));
    QList<qint64> ordinals;
    {
        Statement rows =
            m_database.sql(QStringLiteral("SELECT ordinal FROM retry_member INDEXED BY member_free WHERE operation = ?"
                                          " AND batch = 0 AND outcome = %1 ORDER BY turn, ordinal LIMIT ?")
                               .arg(numberOf(Outcome::Pending)));
        rows.bind(id, std::min(members, core::limits::batchMembers));
        TRY(rows.each([&] { ordinals.append(rows.integer(0)); }));
    }
    if (ordinals.isEmpty())
        return std::optional<records::RetryBatch>{};
    records::RetryBatch like;
    like.operation = id;
    like.connection = of.connection;
    like.stage = BatchStage::MarkingDocuments;
    TRY(const core::BatchId made, newBatch(like, session, ordinals));
    TRY(execute(QStringLiteral("UPDATE retry_member SET batch = ? WHERE operation = ?"
                               " AND ordinal IN (SELECT value FROM json_each(?))"),
                {made.value, id.value, jsonList(ordinals)}));
    // The members stay Pending in the counts of the operation; only the batch is new.
    TRY(execute(QStringLiteral("UPDATE retry_batch SET pending = ? WHERE id = ?"),
                {qint64(ordinals.size()), made.value}));
    TRY(const records::RetryBatch added, batch(made));
    return std::optional<records::RetryBatch>{added};
}

Result<> SqliteRetryStore::claimMembers(core::BatchId id)
{
    TRY(batchIn(id, BatchStage::MarkingDocuments));
    const QStringList steps{
        QStringLiteral("INSERT INTO claim (message, operation, ordinal, attempt, live)"
                       " SELECT message, operation, ordinal, 1, 1 FROM retry_member"
                       " WHERE batch = ? AND batch > 0 AND outcome = %1"
                       " ON CONFLICT (message) DO UPDATE SET operation = excluded.operation,"
                       " ordinal = excluded.ordinal, attempt = claim.attempt + 1, live = 1 WHERE claim.live = 0")
            .arg(numberOf(Outcome::Pending)),
        QStringLiteral("UPDATE retry_member AS m SET outcome = %1,"
                       " attempt = (SELECT attempt FROM claim c WHERE c.message = m.message)"
                       " WHERE m.batch = ? AND m.batch > 0 AND m.outcome = %2 AND ")
                .arg(numberOf(Outcome::Claimed), numberOf(Outcome::Pending))
            + ownsClaim()};
    for (const QString &step : steps)
        TRY(execute(step, {id.value}));
    TRY(execute(QStringLiteral("UPDATE retry_member SET outcome = %1, reason = ?"
                               " WHERE batch = ? AND batch > 0 AND outcome = %2")
                    .arg(numberOf(Outcome::Skipped), numberOf(Outcome::Pending)),
                {records::claimedByAnother(), id.value}));
    return recountBatch(id);
}

Result<> SqliteRetryStore::beginStaging(core::BatchId id)
{
    TRY(batchIn(id, BatchStage::MarkingDocuments));
    return setStage(id, BatchStage::Staging);
}

// ---- staging -----------------------------------------------------------------------------------------------------

Result<QList<RetryMember>> SqliteRetryStore::nameStaging(core::BatchId id, const QString &stagingId,
                                                         const QString &place)
{
    TRY(const records::RetryBatch of, batchIn(id, BatchStage::Staging));
    TRY(execute(QStringLiteral("UPDATE retry_batch SET staging_id = ?, place = ?, mark = '' WHERE id = ?"),
                {stagingId, place.isNull() ? QStringLiteral("") : place, id.value}));
    QList<MemberReason> lost;
    {
        Statement rows = m_database.sql(
            QStringLiteral("SELECT m.ordinal, f.status FROM retry_member m JOIN failed_message f ON f.id = m.message"
                           " WHERE m.batch = ? AND m.batch > 0 AND m.outcome = %1 AND (f.status <> %2 OR NOT ")
                .arg(numberOf(Outcome::Claimed), numberOf(MessageStatus::Unresolved))
            + ownsClaim() + QStringLiteral(")"));
        TRY(rows.bind(id).each([&] {
            lost.append({rows.integer(0), records::whySkipped(rows.as<MessageStatus>(1))});
        }));
    }
    if (!lost.isEmpty())
        TRY(endMembers(of, Outcome::Claimed, Outcome::Skipped, lost));
    Result<QList<RetryMember>> all = batchMembers(id);
    if (all)
        all->removeIf([](const RetryMember &member) { return member.outcome != Outcome::Claimed; });
    return all;
}

Result<> SqliteRetryStore::countRefusals(core::BatchId id, const QList<MemberReason> &refused)
{
    TRY(const records::RetryBatch of, batchIn(id, BatchStage::Staging));
    QList<MemberReason> worn;
    for (const MemberReason &member : refused) {
        Statement count = m_database.sql(
            QStringLiteral(
                "UPDATE retry_member SET stage_attempts = stage_attempts + 1, reason = ?"
                " WHERE operation = ? AND ordinal = ? AND batch = ? AND outcome = %1 RETURNING stage_attempts")
                .arg(numberOf(Outcome::Claimed)));
        TRY(const bool row, count.bind(member.reason, of.operation, member.ordinal, id).step());
        if (row && count.integer(0) >= core::limits::stageAttempts)
            worn.append(member);
    }
    return worn.isEmpty() ? Result<>{} : endMembers(of, Outcome::Claimed, Outcome::Ejected, worn);
}

Result<> SqliteRetryStore::eject(core::BatchId id, const QList<MemberReason> &members)
{
    TRY(const records::RetryBatch of, batchIn(id, BatchStage::Staging));
    return endMembers(of, Outcome::Claimed, Outcome::Ejected, members);
}

Result<> SqliteRetryStore::beginForwarding(core::BatchId id, const QString &stagingId, int staged)
{
    TRY(const records::RetryBatch of, batchIn(id, BatchStage::Staging));
    TRY(const std::optional<records::RetryBatch> other, nowForwarding(of.connection));
    QList<core::MessageId> messages;
    {
        Statement rows = m_database.sql(
            QStringLiteral("SELECT message FROM retry_member WHERE batch = ? AND batch > 0 AND outcome = %1")
                .arg(numberOf(Outcome::Claimed)));
        TRY(rows.bind(id).each([&] { messages.append(core::MessageId{rows.integer(0)}); }));
    }
    const auto conflict = [&] {
        return fail(ErrorKind::Conflict, QStringLiteral("Retry batch %1 changed while it was staged.").arg(id.value));
    };
    if (other || of.stagingId != stagingId || messages.size() != staged)
        return conflict();
    TRY(const int issued, m_messages.setStatus(messages, {MessageStatus::Unresolved}, MessageStatus::RetryIssued));
    if (issued != staged)
        return conflict(); // rolls back
    TRY(execute(QStringLiteral("UPDATE retry_member SET outcome = %1, intent = 0, reason = ''"
                               " WHERE batch = ? AND batch > 0 AND outcome = %2")
                    .arg(numberOf(Outcome::Staged), numberOf(Outcome::Claimed)),
                {id.value}));
    TRY(execute(QStringLiteral("UPDATE retry_batch SET staged_count = ? WHERE id = ?"), {staged, id.value}));
    TRY(execute(QStringLiteral("INSERT INTO now_forwarding (connection, batch) VALUES (?, ?)"),
                {of.connection.value, id.value}));
    TRY(setStage(id, BatchStage::Forwarding));
    return recountBatch(id);
}

Result<> SqliteRetryStore::finishEmpty(core::BatchId id)
{
    TRY(const records::RetryBatch of, batchIn(id, BatchStage::Staging));
    if (of.counts.open() > 0)
        return fail(ErrorKind::Conflict, QStringLiteral("Retry batch %1 is not empty.").arg(id.value));
    return setStage(id, BatchStage::Done);
}

} // namespace store
