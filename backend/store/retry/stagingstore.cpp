#include "backend/store/retry/stagingstore.h"

#include "backend/core/limits.h"
#include "backend/records/rules/memberrules.h"
#include "backend/store/database/database.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/batchrows.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/retry/retrysql.h"

#include <QSet>

#include <algorithm>

namespace store {

using core::ErrorKind;
using core::fail;
using records::BatchStage;
using records::MessageStatus;
using records::Outcome;

StagingStore::StagingStore(Database &database, MessageStore &messages, RetryOperationStore &operations, BatchRows &rows)
    : m_database(database)
    , m_messages(messages)
    , m_operations(operations)
    , m_rows(rows)
{
}

Result<std::optional<records::RetryBatch>> StagingStore::addBatch(core::OperationId id, const QString &session,
                                                                  int members)
{
    TRY(const records::RetryOperation of, m_operations.load(id));
    QList<qint64> ordinals;
    {
        Statement rows = m_database.sql(
            QStringLiteral("SELECT ordinal FROM retry_member " SQL_USING_INDEX(
                               "member_free") " WHERE operation = ?"
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
    TRY(const core::BatchId made, m_rows.newBatch(like, session, ordinals));
    TRY(m_database.execute(QStringLiteral("UPDATE retry_member SET batch = ? WHERE operation = ?"
                                          " AND ordinal IN " SQL_LIST_VALUES),
                           {made.value, id.value, listOf(ordinals)}));
    // The members stay Pending in the counts of the operation; only the batch is new.
    TRY(m_database.execute(QStringLiteral("UPDATE retry_batch SET pending = ? WHERE id = ?"),
                           {qint64(ordinals.size()), made.value}));
    TRY(const records::RetryBatch added, m_rows.load(made));
    return std::optional<records::RetryBatch>{added};
}

Result<> StagingStore::claimMembers(core::BatchId id)
{
    TRY(m_rows.loadIn(id, BatchStage::MarkingDocuments));
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
        TRY(m_database.execute(step, {id.value}));
    TRY(m_database.execute(QStringLiteral("UPDATE retry_member SET outcome = %1, reason = ?"
                                          " WHERE batch = ? AND batch > 0 AND outcome = %2")
                               .arg(numberOf(Outcome::Skipped), numberOf(Outcome::Pending)),
                           {records::claimedByAnother(), id.value}));
    return m_rows.recount(id);
}

Result<> StagingStore::beginStaging(core::BatchId id)
{
    TRY(m_rows.loadIn(id, BatchStage::MarkingDocuments));
    return m_rows.setStage(id, BatchStage::Staging);
}

Result<QList<RetryMember>> StagingStore::nameStaging(core::BatchId id, const QString &stagingId, const QString &place)
{
    TRY(const records::RetryBatch of, m_rows.loadIn(id, BatchStage::Staging));
    TRY(m_database.execute(QStringLiteral("UPDATE retry_batch SET staging_id = ?, place = ?, mark = '' WHERE id = ?"),
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
        TRY(m_rows.endMembers(of, Outcome::Claimed, Outcome::Skipped, lost));
    Result<QList<RetryMember>> all = m_rows.members(id);
    if (all)
        all->removeIf([](const RetryMember &member) { return member.outcome != Outcome::Claimed; });
    return all;
}

Result<> StagingStore::countRefusals(core::BatchId id, const QList<MemberReason> &refused)
{
    TRY(const records::RetryBatch of, m_rows.loadIn(id, BatchStage::Staging));
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
    return worn.isEmpty() ? Result<>{} : m_rows.endMembers(of, Outcome::Claimed, Outcome::Ejected, worn);
}

Result<> StagingStore::eject(core::BatchId id, const QList<MemberReason> &members)
{
    TRY(const records::RetryBatch of, m_rows.loadIn(id, BatchStage::Staging));
    return m_rows.endMembers(of, Outcome::Claimed, Outcome::Ejected, members);
}

Result<> StagingStore::beginForwarding(core::BatchId id, const QString &stagingId, int staged)
{
    TRY(const records::RetryBatch of, m_rows.loadIn(id, BatchStage::Staging));
    TRY(const std::optional<records::RetryBatch> other, m_rows.nowForwarding(of.connection));
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
    TRY(m_database.execute(QStringLiteral("UPDATE retry_member SET outcome = %1, intent = 0, reason = ''"
                                          " WHERE batch = ? AND batch > 0 AND outcome = %2")
                               .arg(numberOf(Outcome::Staged), numberOf(Outcome::Claimed)),
                           {id.value}));
    TRY(m_database.execute(QStringLiteral("UPDATE retry_batch SET staged_count = ? WHERE id = ?"), {staged, id.value}));
    TRY(m_database.execute(QStringLiteral("INSERT INTO now_forwarding (connection, batch) VALUES (?, ?)"),
                           {of.connection.value, id.value}));
    TRY(m_rows.setStage(id, BatchStage::Forwarding));
    return m_rows.recount(id);
}

Result<> StagingStore::finishEmpty(core::BatchId id)
{
    TRY(const records::RetryBatch of, m_rows.loadIn(id, BatchStage::Staging));
    if (of.counts.open() > 0)
        return fail(ErrorKind::Conflict, QStringLiteral("Retry batch %1 is not empty.").arg(id.value));
    return m_rows.setStage(id, BatchStage::Done);
}

Result<core::BatchId> StagingStore::setAside(core::BatchId id, const QList<qint64> &ordinals, const QString &session)
{
    TRY(const records::RetryBatch of, m_rows.load(id));
    TRY(const QList<RetryMember> all, m_rows.members(id));
    const QSet<qint64> wanted(ordinals.cbegin(), ordinals.cend());
    QList<qint64> moving;
    QList<core::MessageId> issued;
    for (const RetryMember &member : all) {
        if (!wanted.contains(member.ordinal) || !records::mayBeSetAside(member))
            continue;
        moving.append(member.ordinal);
        if (member.outcome == Outcome::Staged)
            issued.append(member.message);
    }
    if (moving.isEmpty())
        return core::BatchId{};
    records::RetryBatch like = of;
    like.stage = BatchStage::Staging;
    TRY(const core::BatchId made, m_rows.newBatch(like, session, moving));
    TRY(m_database.execute(QStringLiteral("UPDATE retry_member SET batch = ?, outcome = %1 WHERE operation = ?"
                                          " AND ordinal IN " SQL_LIST_VALUES)
                               .arg(numberOf(Outcome::Claimed)),
                           {made.value, of.operation.value, listOf(moving)}));
    TRY(m_messages.setStatus(issued, {MessageStatus::RetryIssued}, MessageStatus::Unresolved));
    for (const core::BatchId one : {made, id})
        TRY(m_rows.recount(one));
    return made;
}

} // namespace store
