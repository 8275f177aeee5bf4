// Forwarding in the retry store: the pointer, the end of a batch (recordOutcomes), and the intent log (recordIntents,
// recordOutcomes).
#include "backend/store/messagestore.h"
#include "backend/store/sqlite/database.h"
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
        const Result<bool> found = row.bind(connection).step();
        if (!found)
            return fail(found.error());
        if (!*found)
            return std::optional<records::RetryBatch>{};
        id = {row.integer(0)};
    }
    const Result<records::RetryBatch> now = batch(id);
    if (!now)
        return fail(now.error());
    return std::optional<records::RetryBatch>{*now};
}

Result<> SqliteRetryStore::keepMark(core::BatchId id, const QString &mark)
{
    const Result<records::RetryBatch> of = batchIn(id, BatchStage::Forwarding);
    if (!of)
        return fail(of.error());
    const Result<int> kept = execute(QStringLiteral("UPDATE retry_batch SET mark = ? WHERE id = ?"), {mark, id.value});
    if (!kept)
        return fail(kept.error());
    return {};
}

Result<> SqliteRetryStore::finishForwarding(core::BatchId id, const BatchEnd &end)
{
    const Result<records::RetryBatch> of = batchIn(id, BatchStage::Forwarding);
    if (!of)
        return fail(of.error());
    const Result<QList<RetryMember>> open = openIntents(id);
    if (!open)
        return fail(open.error());
    if (!open->isEmpty())
        return fail(ErrorKind::Conflict, QStringLiteral("Retry batch %1 has sends without an answer.").arg(id.value));
    if (end.possibleDuplicates) { // first, so that none of them ends as if it had never been sent
        const Result<int> flagged = execute(QStringLiteral("UPDATE retry_member SET possible_duplicate = 1"
                                                           " WHERE batch = ? AND batch > 0 AND outcome = 2"),
                                            {id.value});
        if (!flagged)
            return fail(flagged.error());
    }
    for (const MemberReason &member : end.inDoubt) {
        const Result<int> doubted =
            execute(QStringLiteral("UPDATE retry_member SET outcome = 6, reason = ? WHERE operation = ? AND ordinal = ?"
                                   " AND batch = ? AND outcome = 2 AND came_back = 0"),
                    {member.reason, of->operation.value, member.ordinal, id.value});
        if (!doubted)
            return fail(doubted.error());
    }
    const Result<> ejected = endMembers(*of, Outcome::Staged, Outcome::Ejected, end.ejected);
    if (!ejected)
        return ejected;
    for (const QString &step : {QStringLiteral("UPDATE retry_member SET outcome = 3, reason = ''"
                                               " WHERE batch = ? AND batch > 0 AND outcome = 2"),
                                QStringLiteral("DELETE FROM now_forwarding WHERE batch = ?")}) {
        const Result<int> done = execute(step, {id.value});
        if (!done)
            return fail(done.error());
    }
    const Result<records::RetryOperation> operationOf = operation(of->operation);
    if (!operationOf)
        return fail(operationOf.error());
    if (operationOf->kind == records::OperationKind::Release) {
        QList<core::MessageId> sent;
        {
            Statement rows = m_database.sql(QStringLiteral("SELECT m.message FROM retry_member m WHERE m.batch = ?"
                                                           " AND m.batch > 0 AND m.outcome = 3 AND ")
                                            + ownsClaim());
            const Result<> read = rows.bind(id).each([&] { sent.append(core::MessageId{rows.integer(0)}); });
            if (!read)
                return read;
        }
        const Result<int> released = m_messages.setStatus(sent, {MessageStatus::RetryIssued}, MessageStatus::Released);
        if (!released)
            return fail(released.error());
        const Result<> let = releaseClaims(of->operation, sent);
        if (!let)
            return let;
    }
    const Result<> done = setStage(id, BatchStage::Done);
    return done ? recountBatch(id) : done;
}

Result<QList<qint64>> SqliteRetryStore::writeIntents(core::BatchId id, const QList<qint64> &ordinals)
{
    const Result<records::RetryBatch> of = batchIn(id, BatchStage::Forwarding);
    if (!of)
        return fail(of.error());
    QList<qint64> written;
    Statement rows = m_database.sql(
        QStringLiteral("UPDATE retry_member SET intent = 1 WHERE operation = ? AND batch = ? AND outcome = 2"
                       " AND intent = 0 AND ordinal IN (SELECT value FROM json_each(?)) RETURNING ordinal"));
    const Result<> done =
        rows.bind(of->operation, id, jsonList(ordinals)).each([&] { written.append(rows.integer(0)); });
    if (!done)
        return fail(done.error());
    std::sort(written.begin(), written.end());
    return written;
}

Result<> SqliteRetryStore::writeOutcomes(core::BatchId id, const QList<IntentOutcome> &outcomes)
{
    using End = IntentOutcome::End;
    const Result<records::RetryBatch> of = batchIn(id, BatchStage::Forwarding);
    if (!of)
        return fail(of.error());
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
            const Result<int> doubted =
                execute(QStringLiteral("UPDATE retry_member SET outcome = 6, intent = 0, reason = ? WHERE operation = ?"
                                       " AND ordinal = ? AND batch = ? AND outcome = 2 AND intent = 1"),
                        {outcome.reason, of->operation.value, outcome.ordinal, id.value});
            if (!doubted)
                return fail(doubted.error());
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
    const QString where = QStringLiteral(" WHERE operation = ? AND batch = ? AND outcome = 2 AND intent = 1"
                                         " AND ordinal IN (SELECT value FROM json_each(?))");
    const std::array<std::pair<QString, const QList<qint64> *>, 3> steps{
        std::pair{QStringLiteral("UPDATE retry_member SET outcome = 3, intent = 0"), &sent},
        std::pair{QStringLiteral("UPDATE retry_member SET intent = 0"), &notSent},
        std::pair{QStringLiteral("UPDATE retry_member SET intent = 0, possible_duplicate = 1"), &again}};
    records::OutcomeCounts after = of->counts;
    for (const auto &[set, ordinals] : steps) {
        if (ordinals->isEmpty())
            continue;
        const Result<int> done = execute(set + where, {of->operation.value, id.value, jsonList(*ordinals)});
        if (!done)
            return fail(done.error());
        if (ordinals == &sent) {
            after.staged -= *done;
            after.sent += *done;
        }
    }
    // Usually every message was accepted or not sent: then no rows need to be counted again.
    if (sent.size() + notSent.size() == outcomes.size())
        return keepCounts(*of, after);
    return endMembers(*of, Outcome::Staged, Outcome::Ejected, ejected);
}

Result<> SqliteRetryStore::closeIntentLogBatch(core::BatchId id, const QString &session)
{
    const Result<records::RetryBatch> of = batchIn(id, BatchStage::Forwarding);
    if (!of)
        return fail(of.error());
    const Result<QList<RetryMember>> all = batchMembers(id);
    if (!all)
        return fail(all.error());
    QList<qint64> unsent;
    for (const RetryMember &member : *all) {
        if (member.outcome == Outcome::Staged)
            unsent.append(member.ordinal);
    }
    const Result<core::BatchId> aside = setAside(id, unsent, session);
    // An open intent: Conflict, and the transaction is rolled back.
    return aside ? finishForwarding(id, {}) : fail(aside.error());
}

Result<core::BatchId> SqliteRetryStore::setAside(core::BatchId id, const QList<qint64> &ordinals,
                                                 const QString &session)
{
    const Result<records::RetryBatch> of = batch(id);
    const Result<QList<RetryMember>> all = of ? batchMembers(id) : fail(of.error());
    if (!all)
        return fail(all.error());
    const QSet<qint64> wanted(ordinals.cbegin(), ordinals.cend());
    QList<qint64> moving;
    QList<core::MessageId> issued;
    for (const RetryMember &member : *all) {
        const bool isStaged = member.outcome == Outcome::Staged && !member.intent && !member.cameBack;
        if (!wanted.contains(member.ordinal) || !(isStaged || member.outcome == Outcome::Claimed))
            continue;
        moving.append(member.ordinal);
        if (isStaged)
            issued.append(member.message);
    }
    if (moving.isEmpty())
        return core::BatchId{};
    records::RetryBatch like = *of;
    like.stage = BatchStage::Staging;
    const Result<core::BatchId> made = newBatch(like, session, moving);
    if (!made)
        return made;
    const Result<int> moved =
        execute(QStringLiteral("UPDATE retry_member SET batch = ?, outcome = 1 WHERE operation = ?"
                               " AND ordinal IN (SELECT value FROM json_each(?))"),
                {made->value, of->operation.value, jsonList(moving)});
    if (!moved)
        return fail(moved.error());
    const Result<int> back = m_messages.setStatus(issued, {MessageStatus::RetryIssued}, MessageStatus::Unresolved);
    if (!back)
        return fail(back.error());
    for (const core::BatchId one : {*made, id}) {
        const Result<> counted = recountBatch(one);
        if (!counted)
            return fail(counted.error());
    }
    return made;
}

} // namespace store
