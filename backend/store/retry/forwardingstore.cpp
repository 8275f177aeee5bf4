#include "backend/store/retry/forwardingstore.h"

#include "backend/store/retry/batchrows.h"
#include "backend/store/retry/retryledger.h"
#include "backend/store/retry/retryoperationstore.h"

#include <algorithm>

namespace store {

using core::ErrorKind;
using core::fail;
using records::BatchStage;
using records::MemberEvent;
using records::Outcome;

ForwardingStore::ForwardingStore(RetryLedger &ledger, RetryOperationStore &operations, BatchRows &rows)
    : m_ledger(ledger)
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
    return m_ledger.keepMark(id, mark);
}

static QHash<qint64, QString> membersWithout(const QList<SendResult> &ends, const QList<LedgerEntry> &members)
{
    QHash<qint64, QString> others;
    for (const LedgerEntry &member : members)
        others.insert(member.ordinal, {});
    for (const SendResult &one : ends)
        others.remove(one.ordinal);
    return others;
}

Result<> ForwardingStore::finishForwarding(core::BatchId id, const QList<SendResult> &ends, bool isInterrupted)
{
    TRY(const records::RetryBatch of, m_rows.loadIn(id, BatchStage::Forwarding));
    TRY(const records::RetryOperation operation, m_operations.load(of.operation));
    const bool isRelease = operation.kind == records::OperationKind::Release;
    TRY(const bool isWaitedFor, m_rows.hasStaged(id));
    if (!isWaitedFor && !isRelease) // the intent log has told of each
        return m_ledger.finish(id);
    TRY(QList<LedgerEntry> members, m_ledger.ofBatch(id));
    const auto isOpen = [&](const auto &condition) { return std::any_of(members.cbegin(), members.cend(), condition); };
    if (isOpen([](const LedgerEntry &member) { return member.fate.intent; }))
        return fail(ErrorKind::Conflict, QStringLiteral("Retry batch %1 has sends without an answer.").arg(id.value));
    if (isInterrupted) // first, so that none of them ends as if it had never been sent
        TRY(m_ledger.record(members, {.event = MemberEvent::Interrupted}));
    TRY(m_ledger.record(members, ends));
    TRY(m_ledger.record(members, {.event = MemberEvent::Accepted, .only = membersWithout(ends, members)}));
    if (isOpen([](const LedgerEntry &member) { return member.fate.outcome == Outcome::Staged; })) // rolls back
        return fail(ErrorKind::Conflict,
                    QStringLiteral("Retry batch %1 has messages that were not sent.").arg(id.value));
    if (isRelease)
        TRY(m_ledger.record(members, {.event = MemberEvent::GivenBack}));
    return m_ledger.finish(id);
}

} // namespace store
