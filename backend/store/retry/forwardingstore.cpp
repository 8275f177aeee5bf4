#include "backend/store/retry/forwardingstore.h"

#include "backend/store/database/database.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/batchrows.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/retry/retrysql.h"

namespace store {

using core::ErrorKind;
using core::fail;
using records::BatchStage;
using records::MessageStatus;
using records::Outcome;

ForwardingStore::ForwardingStore(Database &database, MessageStore &messages, RetryOperationStore &operations,
                                 BatchRows &rows)
    : m_database(database)
    , m_messages(messages)
    , m_operations(operations)
    , m_rows(rows)
{
}

Result<std::optional<records::RetryBatch>> ForwardingStore::nowForwarding(core::ConnectionId connection)
{
    return m_rows.nowForwarding(connection);
}

Result<> ForwardingStore::keepMark(core::BatchId id, const QString &mark)
{
    TRY(m_rows.loadIn(id, BatchStage::Forwarding));
    TRY(m_database.execute(QStringLiteral("UPDATE retry_batch SET mark = ? WHERE id = ?"), {mark, id.value}));
    return {};
}

// A message that a person took back has a copy that nobody accounts for: at its consumer, or held by the broker for later. So may
// a possible duplicate, which a person sends all the same.
Result<> ForwardingStore::markSecondCopies(core::BatchId id)
{
    TRY(m_database.execute(
        QStringLiteral("UPDATE retry_member SET possible_duplicate = 1 WHERE batch = ? AND batch > 0 AND outcome = %1"
                       " AND (EXISTS (SELECT 1 FROM failed_message f WHERE f.id = retry_member.message AND f.flags & %3 <> 0)"
                       " OR EXISTS (SELECT 1 FROM retry_member e WHERE e.message = retry_member.message"
                       " AND e.operation <> retry_member.operation AND e.closure = %2 AND e.came_back = 0))")
            .arg(numberOf(Outcome::Sent), numberOf(records::ClaimEndReason::TakenBack),
                 QString::number(int(records::MessageFlag::PossibleDuplicate))),
        {id.value}));
    return {};
}

Result<> ForwardingStore::finishForwarding(core::BatchId id, const BatchEnd &end)
{
    TRY(const records::RetryBatch of, m_rows.loadIn(id, BatchStage::Forwarding));
    TRY(const QList<RetryMember> open, m_rows.stagedMembers(id, true));
    if (!open.isEmpty())
        return fail(ErrorKind::Conflict, QStringLiteral("Retry batch %1 has sends without an answer.").arg(id.value));
    if (end.possibleDuplicates) { // first, so that none of them ends as if it had never been sent
        TRY(m_database.execute(QStringLiteral("UPDATE retry_member SET possible_duplicate = 1"
                                              " WHERE batch = ? AND batch > 0 AND outcome = %1")
                                   .arg(numberOf(Outcome::Staged)),
                               {id.value}));
    }
    for (const MemberReason &member : end.inDoubt) {
        TRY(m_database.execute(
            QStringLiteral("UPDATE retry_member SET outcome = %1, reason = ? WHERE operation = ? AND ordinal = ?"
                           " AND batch = ? AND outcome = %2 AND came_back = 0 AND closure <> %3")
                .arg(numberOf(Outcome::InDoubt), numberOf(Outcome::Staged),
                     numberOf(
                         records::ClaimEndReason::Acknowledged)), // its endpoint had it while others were on their way
            {member.reason, of.operation.value, member.ordinal, id.value}));
    }
    TRY(m_rows.endMembers(of, Outcome::Staged, Outcome::Ejected, end.ejected));
    for (const QString &step : {QStringLiteral("UPDATE retry_member SET outcome = %1, reason = ''"
                                               " WHERE batch = ? AND batch > 0 AND outcome = %2")
                                    .arg(numberOf(Outcome::Sent), numberOf(Outcome::Staged)),
                                QStringLiteral("DELETE FROM now_forwarding WHERE batch = ?")})
        TRY(m_database.execute(step, {id.value}));
    TRY(markSecondCopies(id));
    TRY(const records::RetryOperation operationOf, m_operations.load(of.operation));
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
        TRY(m_rows.releaseClaims(of.operation, sent));
    }
    TRY(m_rows.setStage(id, BatchStage::Done));
    return m_rows.recount(id);
}

} // namespace store
