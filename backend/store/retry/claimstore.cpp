#include "backend/store/retry/claimstore.h"

#include "backend/records/rules/memberrules.h"
#include "backend/store/database/database.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/batchrows.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/retry/retrysql.h"

#include <QMap>
#include <QSet>

#include <algorithm>

namespace store {

using core::ErrorKind;
using core::fail;
using records::BatchStage;
using records::MessageStatus;
using records::Outcome;

ClaimStore::ClaimStore(Database &database, MessageStore &messages, RetryOperationStore &operations, BatchRows &rows)
    : m_database(database)
    , m_messages(messages)
    , m_operations(operations)
    , m_rows(rows)
{
}

// Cancels members that no batch has yet. Without the named index SQLite walks over all earlier members each time.
Result<int> ClaimStore::cancelFree(core::OperationId id, int rows)
{
    const Result<int> cancelled =
        m_database.execute(QStringLiteral("UPDATE retry_member SET outcome = %1 WHERE operation = ? AND ordinal IN"
                                          " (SELECT ordinal FROM retry_member " SQL_USING_INDEX(
                                              "member_free") " WHERE operation = ? AND batch = 0 AND outcome = %2"
                                                             " ORDER BY turn, ordinal LIMIT ?)")
                               .arg(numberOf(Outcome::Cancelled), numberOf(Outcome::Pending)),
                           {id.value, id.value, rows});
    if (!cancelled || *cancelled == 0)
        return cancelled;
    TRY(m_database.execute(
        QStringLiteral("UPDATE retry_operation SET pending = pending - ?, cancelled = cancelled + ? WHERE id = ?"),
        {*cancelled, *cancelled, id.value}));
    return cancelled;
}

Result<int> ClaimStore::cancelMembers(core::OperationId id, int rows)
{
    const Result<int> free = cancelFree(id, rows);
    if (!free || *free > 0)
        return free;
    // There may be very many finished batches.
    TRY(const QList<records::RetryBatch> all,
        m_rows.where(
            QStringLiteral(SQL_USING_INDEX(
                               "batch_live") " WHERE connection = (SELECT connection FROM retry_operation WHERE id = ?)"
                                             " AND stage < %1 AND operation = ? ORDER BY id")
                .arg(numberOf(BatchStage::Done)),
            {id.value, id.value}));
    for (const records::RetryBatch &of : all) {
        if (!records::mayBeCancelled(of))
            continue;
        TRY(const QList<RetryMember> members, m_rows.members(of.id));
        QMap<Outcome, QList<MemberReason>> open; // by what they are now
        for (const RetryMember &member : members) {
            if (records::mayBeCancelled(member))
                open[member.outcome].append(MemberReason{member.ordinal, {}});
        }
        int ended = 0;
        for (auto part = open.cbegin(); part != open.cend(); ++part) {
            TRY(m_rows.endMembers(of, part.key(), Outcome::Cancelled, *part));
            ended += int(part->size());
        }
        TRY(of.stage < BatchStage::Forwarding ? m_rows.setStage(of.id, BatchStage::Done) : Result<>{});
        if (ended > 0)
            return ended;
    }
    return 0;
}

Result<> ClaimStore::assumeSent(core::OperationId id, const QList<qint64> &ordinals)
{
    QSet<core::BatchId> touched;
    {
        Statement rows =
            m_database.sql(QStringLiteral("UPDATE retry_member SET outcome = %1 WHERE operation = ? AND outcome = %2"
                                          " AND ordinal IN " SQL_LIST_VALUES " RETURNING batch")
                               .arg(numberOf(Outcome::Sent), numberOf(Outcome::InDoubt)));
        TRY(rows.bind(id, listOf(ordinals)).each([&] { touched.insert(core::BatchId{rows.integer(0)}); }));
    }
    for (const core::BatchId one : std::as_const(touched)) {
        // From here on a quiet period may resolve them.
        TRY(m_database.execute(QStringLiteral("UPDATE retry_batch SET settled = 0 WHERE id = ?"), {one.value}));
        TRY(m_rows.recount(one));
    }
    return {};
}

Result<> ClaimStore::sendAgain(core::OperationId id, const QList<qint64> &ordinals, const QString &session)
{
    TRY(records::RetryOperation of, m_operations.load(id));
    if (of.state == records::OperationState::Cancelled && !of.finished)
        return fail(ErrorKind::Conflict, QStringLiteral("Operation %1 is still being cancelled.").arg(id.value));
    QList<qint64> mine;
    QList<core::MessageId> messages;
    QSet<core::BatchId> touched;
    {
        Statement rows = m_database.sql(
            QStringLiteral("SELECT m.ordinal, m.message, m.batch FROM retry_member m JOIN failed_message f"
                           " ON f.id = m.message WHERE m.operation = ? AND m.outcome = %1"
                           " AND f.status = %2 AND m.ordinal IN " SQL_LIST_VALUES " AND ")
                .arg(numberOf(Outcome::InDoubt), numberOf(MessageStatus::RetryIssued))
            + ownsClaim() + QStringLiteral(" ORDER BY m.ordinal"));
        TRY(rows.bind(id, listOf(ordinals)).each([&] {
            mine.append(rows.integer(0));
            messages.append(core::MessageId{rows.integer(1)});
            touched.insert(core::BatchId{rows.integer(2)});
        }));
    }
    if (mine.isEmpty())
        return {};
    records::RetryBatch like;
    like.operation = id;
    like.connection = of.connection;
    like.stage = BatchStage::Staging;
    TRY(const core::BatchId made, m_rows.newBatch(like, session, mine));
    TRY(m_database.execute(
        QStringLiteral("UPDATE retry_member SET batch = ?, outcome = %1, intent = 0, stage_attempts = 0,"
                       " possible_duplicate = 1 WHERE operation = ? AND ordinal IN " SQL_LIST_VALUES)
            .arg(numberOf(Outcome::Claimed)),
        {made.value, id.value, listOf(mine)}));
    touched.insert(made);
    for (const core::BatchId one : std::as_const(touched))
        TRY(m_rows.recount(one));
    TRY(m_messages.setStatus(messages, {MessageStatus::RetryIssued}, MessageStatus::Unresolved));
    if (!of.finished)
        return {};
    TRY(const bool paused, m_operations.allPaused());
    of.finished.reset();
    of.state = paused ? records::OperationState::Paused : records::OperationState::Running;
    of.pausedBy = paused ? records::PausedBy::PauseAll : records::PausedBy::Nobody;
    return m_operations.update(of);
}

// The member that owns the live claim of this message, or the last one, if a person or a quiet period resolved the
// message: coming back shows that it was not processed.
Result<std::optional<RetryMember>> ClaimStore::claimant(const QString &uniqueId)
{
    Statement rows = m_database.sql(
        memberColumns()
        + QStringLiteral(
              " FROM failed_message f JOIN claim c ON c.message = f.id"
              " JOIN retry_member m ON m.operation = c.operation AND m.ordinal = c.ordinal WHERE f.unique_id = ?"
              " AND (c.live = 1 OR (m.closure IN %1 AND m.came_back = 0))")
              .arg(sqlSet<ClaimEndReason>(records::isDisprovedByReturn)));
    rows.bind(uniqueId);
    TRY(const QList<RetryMember> found, m_rows.readMembers(rows));
    return found.isEmpty() ? std::optional<RetryMember>{} : std::optional<RetryMember>{found.first()};
}

Result<std::optional<AwaitedReturn>> ClaimStore::awaitedReturn(const QString &uniqueId)
{
    TRY(const std::optional<RetryMember> owner, claimant(uniqueId));
    if (!owner)
        return std::optional<AwaitedReturn>();
    TRY(const records::RetryBatch of, m_rows.load(owner->batch));
    return std::optional(
        AwaitedReturn{owner->operation, owner->attempt, records::mayBeAway(*owner, of), owner->possibleDuplicate});
}

// The message was seen at its destination.
Result<> ClaimStore::provenSent(const RetryMember &member, bool back)
{
    RetryMember after = member;
    after.cameBack = member.cameBack || back;
    TRY(const records::RetryBatch of, m_rows.load(member.batch));
    if (records::isSentWhenSeen(member, of)) {
        after.outcome = Outcome::Sent;
        TRY(m_database.execute(QStringLiteral("UPDATE retry_member SET outcome = %1, intent = 0, reason = ''"
                                              " WHERE operation = ? AND ordinal = ?")
                                   .arg(numberOf(Outcome::Sent)),
                               {member.operation.value, member.ordinal}));
        if (member.outcome == Outcome::Claimed)
            TRY(m_messages.setStatus({member.message}, {MessageStatus::Unresolved}, MessageStatus::RetryIssued));
    }
    return m_rows.keepCounts(of, difference(sum(of.counts, countsOf(after)), countsOf(member)));
}

Result<CameBack> ClaimStore::cameBack(const QString &uniqueId, core::OperationId id, int attempt)
{
    TRY(const std::optional<RetryMember> owner, claimant(uniqueId));
    if (!owner || owner->operation != id || owner->attempt != attempt)
        return CameBack{};
    const RetryMember &member = *owner;
    TRY(m_database.execute(QStringLiteral("UPDATE claim SET live = 0 WHERE message = ?"), {member.message.value}));
    // Its record is not a possible duplicate any more once the returned copy is in it, so the batch could not flag it at its end.
    TRY(m_database.execute(
        QStringLiteral("UPDATE retry_member SET came_back = 1, possible_duplicate = " SQL_GREATEST(
                           "possible_duplicate", "(SELECT count(*) FROM failed_message f WHERE f.id = message"
                                                 " AND f.flags & %1 <> 0)") " WHERE operation = ? AND ordinal = ?")
            .arg(int(records::MessageFlag::PossibleDuplicate)),
        {member.operation.value, member.ordinal}));
    TRY(provenSent(member, true));
    return CameBack{true, id};
}

Result<> ClaimStore::endClaim(const RetryMember &member, const ClaimEnd &claimEnd)
{
    TRY(m_database.execute(QStringLiteral("UPDATE claim SET live = 0 WHERE message = ?"), {member.message.value}));
    if (claimEnd.closure == ClaimEndReason::None)
        return {};
    // The first decision stays: a later acknowledgement does not replace what a person settled.
    Statement update = m_database.sql(QStringLiteral("UPDATE retry_member SET closure = ?, closed_at = ?, closed_by = ?"
                                                     " WHERE operation = ? AND ordinal = ? AND closure = %1")
                                          .arg(numberOf(ClaimEndReason::None)));
    TRY(update.bind(claimEnd.closure, claimEnd.at, claimEnd.who, member.operation, member.ordinal).run());
    return {};
}

Result<> ClaimStore::confirmed(const QString &uniqueId, const ClaimEnd &claimEnd)
{
    TRY(const std::optional<RetryMember> owner, claimant(uniqueId));
    if (!owner)
        return {};
    TRY(endClaim(*owner, claimEnd));
    return provenSent(*owner, false);
}

// Members that are sent or in doubt and still own their claim.
Result<QList<RetryMember>> ClaimStore::awayMembers(const QList<core::MessageId> &messages)
{
    Statement rows =
        m_database.sql(memberColumns()
                       + QStringLiteral(" FROM " SQL_LIST " j " SQL_JOIN_IN_ORDER " failed_message f ON f.id = j.value"
                                        " JOIN claim c ON c.message = f.id AND c.live = 1"
                                        " JOIN retry_member m ON m.operation = c.operation AND m.ordinal = c.ordinal"
                                        " WHERE f.status = ? AND m.outcome IN %1")
                             .arg(sqlSet<Outcome>(records::mayHaveArrived)));
    rows.bind(listOf(messages), MessageStatus::RetryIssued);
    return m_rows.readMembers(rows);
}

Result<int> ClaimStore::heldByBroker(const QList<core::MessageId> &messages, core::TimePoint now)
{
    TRY(const QList<RetryMember> away, awayMembers(messages));
    return int(std::count_if(away.cbegin(), away.cend(),
                             [now](const RetryMember &member) { return member.deliverAt && *member.deliverAt > now; }));
}

Result<int> ClaimStore::close(const QList<core::MessageId> &messages, const ClaimEnd &claimEnd)
{
    TRY(const QList<RetryMember> away, awayMembers(messages));
    const bool resolved = records::provesProcessed(claimEnd.closure);
    const bool keepsReason = records::leavesDoubt(claimEnd.closure);
    QList<core::MessageId> closed;
    QSet<core::BatchId> touched;
    for (const RetryMember &member : away) {
        TRY(endClaim(member, claimEnd));
        // This ends a doubt for good. For a message that is taken back, only the reason still says that it may not have
        // been sent.
        TRY(m_database.execute(
            QStringLiteral("UPDATE retry_member SET outcome = %1, intent = 0, possible_duplicate = " SQL_GREATEST(
                               "possible_duplicate", "?") ", reason = CASE WHEN ? THEN reason ELSE '' END"
                                                          " WHERE operation = ? AND ordinal = ?")
                .arg(numberOf(Outcome::Sent)),
            {resolved ? 0 : 1, keepsReason ? 1 : 0, member.operation.value, member.ordinal}));
        closed.append(member.message);
        touched.insert(member.batch);
    }
    for (const core::BatchId one : std::as_const(touched))
        TRY(m_rows.recount(one));
    return m_messages.setStatus(closed, {MessageStatus::RetryIssued},
                                resolved ? MessageStatus::Resolved : MessageStatus::Unresolved);
}

} // namespace store
