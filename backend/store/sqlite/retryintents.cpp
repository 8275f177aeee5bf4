// Forwarding in the retry store: the pointer, the end of a batch (recordOutcomes), and the intent log (recordIntents,
// recordOutcomes).
#include "backend/records/rules/memberrules.h"
#include "backend/store/messagestore.h"
#include "backend/store/sqlite/database.h"
#include "backend/store/sqlite/enumsql.h"
#include "backend/store/sqlite/retrysql.h"
#include "backend/store/sqlite/sqliteretrystore.h"

#include <QSet>

#include <array>

namespace store {

using core::ErrorKind;
using core::fail;
using records::BatchStage;
using records::MessageStatus;

Result<std::optional<records::RetryBatch>> SqliteRetryStore::nowForwarding(core::ConnectionId connection)
{
    core::BatchId id;
    {
        Statement row = m_database.sql(QStringLiteral("SELECT batch FROM now_forwarding WHERE connection = ?"));
        TRY(const bool found, row.bind(connection).step());
        if (!found)
            return std::optional<records::RetryBatch>{};
        id = {row.integer(0)};
    }
    TRY(const records::RetryBatch now, batch(id));
    return std::optional<records::RetryBatch>{now};
}

Result<> SqliteRetryStore::keepMark(core::BatchId id, const QString &mark)
{
    TRY(batchIn(id, BatchStage::Forwarding));
    TRY(execute(QStringLiteral("UPDATE retry_batch SET mark = ? WHERE id = ?"), {mark, id.value}));
    return {};
}

Result<> SqliteRetryStore::finishForwarding(core::BatchId id, const BatchEnd &end)
{
    TRY(const records::RetryBatch of, batchIn(id, BatchStage::Forwarding));
    TRY(const QList<RetryMember> open, openIntents(id));
    if (!open.isEmpty())
        return fail(ErrorKind::Conflict, QStringLiteral("Retry batch %1 has sends without an answer.").arg(id.value));
    if (end.possibleDuplicates) { // first, so that none of them ends as if it had never been sent
        TRY(execute(QStringLiteral("UPDATE retry_member SET possible_duplicate = 1"
                                   " WHERE batch = ? AND batch > 0 AND outcome = %1")
                        .arg(numberOf(Outcome::Staged)),
                    {id.value}));
    }
    for (const MemberReason &member : end.inDoubt) {
        TRY(execute(
            QStringLiteral("UPDATE retry_member SET outcome = %1, reason = ? WHERE operation = ? AND ordinal = ?"
                           " AND batch = ? AND outcome = %2 AND came_back = 0")
                .arg(numberOf(Outcome::InDoubt), numberOf(Outcome::Staged)),
            {member.reason, of.operation.value, member.ordinal, id.value}));
    }
    TRY(endMembers(of, Outcome::Staged, Outcome::Ejected, end.ejected));
    for (const QString &step : {QStringLiteral("UPDATE retry_member SET outcome = %1, reason = ''"
                                               " WHERE batch = ? AND batch > 0 AND outcome = %2")
                                    .arg(numberOf(Outcome::Sent), numberOf(Outcome::Staged)),
                                QStringLiteral("DELETE FROM now_forwarding WHERE batch = ?")})
        TRY(execute(step, {id.value}));
    TRY(const records::RetryOperation operationOf, operation(of.operation));
    if (operationOf.kind == records::OperationKind::Release) {
        QList<core::MessageId> sent;
        {
            Statement rows = m_database.sql(QStringLiteral("SELECT m.message FROM retry_member m WHERE m.batch = ?"
                                                           " AND m.batch > 0 AND m.outcome = %1 AND ")
                                                .arg(numberOf(Outcome::Sent))
                                            + ownsClaim());
            TRY(rows.bind(id).each([&] { sent.append(core::MessageId{rows.integer(0)}); }));
        }
        TRY(m_messages.setStatus(sent, {MessageStatus::RetryIssued}, MessageStatus::Released));
        TRY(releaseClaims(of.operation, sent));
    }
    TRY(setStage(id, BatchStage::Done));
    return recountBatch(id);
}

Result<QList<qint64>> SqliteRetryStore::writeIntents(core::BatchId id, const QList<qint64> &ordinals)
{
    TRY(const records::RetryBatch of, batchIn(id, BatchStage::Forwarding));
    QList<qint64> written;
    Statement rows = m_database.sql(
        QStringLiteral("UPDATE retry_member SET intent = 1 WHERE operation = ? AND batch = ? AND outcome = %1"
                       " AND intent = 0 AND ordinal IN (SELECT value FROM json_each(?)) RETURNING ordinal")
            .arg(numberOf(Outcome::Staged)));
    TRY(rows.bind(of.operation, id, jsonList(ordinals)).each([&] { written.append(rows.integer(0)); }));
    std::sort(written.begin(), written.end());
    return written;
}

Result<> SqliteRetryStore::writeOutcomes(core::BatchId id, const QList<IntentOutcome> &outcomes)
{
    using End = IntentOutcome::End;
    TRY(const records::RetryBatch of, batchIn(id, BatchStage::Forwarding));
    QList<MemberReason> ejected;
    QList<qint64> sent;
    QList<qint64> notSent;
    QList<qint64> again;
    for (const IntentOutcome &outcome : outcomes) {
        switch (outcome.end) {
        case End::Sent:
            sent.append(outcome.ordinal);
            break;
        case End::Ejected:
            ejected.append({outcome.ordinal, outcome.reason});
            break;
        case End::InDoubt: {
            TRY(execute(
                QStringLiteral("UPDATE retry_member SET outcome = %1, intent = 0, reason = ? WHERE operation = ?"
                               " AND ordinal = ? AND batch = ? AND outcome = %2 AND intent = 1")
                    .arg(numberOf(Outcome::InDoubt), numberOf(Outcome::Staged)),
                {outcome.reason, of.operation.value, outcome.ordinal, id.value}));
            break;
        }
        case End::NotSent:
            notSent.append(outcome.ordinal);
            break;
        case End::SendAgain:
            again.append(outcome.ordinal);
            break;
        }
    }
    const QString where = QStringLiteral(" WHERE operation = ? AND batch = ? AND outcome = %1 AND intent = 1"
                                         " AND ordinal IN (SELECT value FROM json_each(?))")
                              .arg(numberOf(Outcome::Staged));
    const std::array<std::pair<QString, const QList<qint64> *>, 3> steps{
        std::pair{QStringLiteral("UPDATE retry_member SET outcome = %1, intent = 0").arg(numberOf(Outcome::Sent)),
                  &sent},
        std::pair{QStringLiteral("UPDATE retry_member SET intent = 0"), &notSent},
        std::pair{QStringLiteral("UPDATE retry_member SET intent = 0, possible_duplicate = 1"), &again}};
    records::OutcomeCounts after = of.counts;
    for (const auto &[set, ordinals] : steps) {
        if (ordinals->isEmpty())
            continue;
        TRY(const int done, execute(set + where, {of.operation.value, id.value, jsonList(*ordinals)}));
        if (ordinals == &sent) {
            after.staged -= done;
            after.sent += done;
        }
    }
    // Usually every message was accepted or not sent: then no rows need to be counted again.
    if (sent.size() + notSent.size() == outcomes.size())
        return keepCounts(of, after);
    return endMembers(of, Outcome::Staged, Outcome::Ejected, ejected);
}

Result<> SqliteRetryStore::closeIntentLogBatch(core::BatchId id, const QString &session)
{
    TRY(batchIn(id, BatchStage::Forwarding));
    TRY(const QList<RetryMember> all, batchMembers(id));
    QList<qint64> unsent;
    for (const RetryMember &member : all) {
        if (member.outcome == Outcome::Staged)
            unsent.append(member.ordinal);
    }
    // An open intent: Conflict, and the transaction is rolled back.
    TRY(setAside(id, unsent, session));
    return finishForwarding(id, {});
}

Result<core::BatchId> SqliteRetryStore::setAside(core::BatchId id, const QList<qint64> &ordinals,
                                                 const QString &session)
{
    TRY(const records::RetryBatch of, batch(id));
    TRY(const QList<RetryMember> all, batchMembers(id));
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
    TRY(const core::BatchId made, newBatch(like, session, moving));
    TRY(execute(QStringLiteral("UPDATE retry_member SET batch = ?, outcome = %1 WHERE operation = ?"
                               " AND ordinal IN (SELECT value FROM json_each(?))")
                    .arg(numberOf(Outcome::Claimed)),
                {made.value, of.operation.value, jsonList(moving)}));
    TRY(m_messages.setStatus(issued, {MessageStatus::RetryIssued}, MessageStatus::Unresolved));
    for (const core::BatchId one : {made, id})
        TRY(recountBatch(one));
    return made;
}

} // namespace store
