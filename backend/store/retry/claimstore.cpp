#include "backend/store/retry/claimstore.h"

#include "backend/records/ledger/operationlife.h"
#include "backend/records/rules/memberrules.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/retry/batchrows.h"
#include "backend/store/retry/retryledger.h"
#include "backend/store/retry/retryoperationstore.h"

#include <QSet>

#include <algorithm>

namespace store {

using core::ErrorKind;
using core::fail;
using records::BatchStage;
using records::MemberEvent;

namespace {

// That have a transition for the event.
QList<LedgerEntry> concernedBy(MemberEvent event, QList<LedgerEntry> members)
{
    members.removeIf([&](const LedgerEntry &member) { return !records::transitionOf(member.fate, event); });
    return members;
}

} // namespace

ClaimStore::ClaimStore(RetryLedger &ledger, RetryOperationStore &operations, BatchRows &rows)
    : m_ledger(ledger)
    , m_operations(operations)
    , m_rows(rows)
{
}

Result<int> ClaimStore::cancelMembers(core::OperationId id, int rows)
{
    TRY(QList<LedgerEntry> free, m_ledger.waiting(id, rows));
    if (!free.isEmpty())
        return m_ledger.record(free, {.event = MemberEvent::Cancelled});
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
        TRY(QList<LedgerEntry> members, m_ledger.ofBatch(of.id));
        QHash<qint64, QString> reasons;
        for (const LedgerEntry &member : std::as_const(members))
            reasons.insert(member.ordinal, member.fate.possibleDuplicate ? records::cancelledInDoubt() : QString());
        TRY(const int cancelled, m_ledger.record(members, {.event = MemberEvent::Cancelled, .only = reasons}));
        TRY(of.stage < BatchStage::Forwarding ? m_ledger.setStage(of.id, BatchStage::Done) : Result<>{});
        if (cancelled > 0)
            return cancelled;
    }
    return 0;
}

Result<> ClaimStore::assumeSent(core::OperationId id, const QList<qint64> &ordinals)
{
    TRY(const QList<LedgerEntry> all, m_ledger.of(id, ordinals));
    QList<LedgerEntry> doubts = concernedBy(MemberEvent::AssumedSent, all);
    TRY(m_ledger.record(doubts, {.event = MemberEvent::AssumedSent}));
    QSet<core::BatchId> touched;
    for (const LedgerEntry &member : std::as_const(doubts))
        touched.insert(member.batch);
    for (const core::BatchId batch : std::as_const(touched))
        TRY(m_ledger.setSettled(batch, false)); // from here on a quiet period may resolve them
    return {};
}

Result<> ClaimStore::sendAgain(core::OperationId id, const QList<qint64> &ordinals, const QString &session)
{
    TRY(const records::RetryOperation of, m_operations.load(id));
    if (of.state == records::OperationState::Cancelled && !of.finished)
        return fail(ErrorKind::Conflict, QStringLiteral("Operation %1 is still being cancelled.").arg(id.value));
    TRY(const QList<LedgerEntry> all, m_ledger.of(id, ordinals));
    QList<LedgerEntry> again = concernedBy(MemberEvent::SentAgain, all);
    if (again.isEmpty())
        return {};
    TRY(const core::BatchId made, m_ledger.addBatch(id, BatchStage::Staging, session, again));
    TRY(m_ledger.record(again, {.event = MemberEvent::SentAgain, .batch = made}));
    if (!of.finished)
        return {};
    TRY(const bool paused, m_operations.allPaused());
    return m_operations.update(records::goesOn(of, paused));
}

// The last retry of the message, if there can be news of it: what a person or a quiet period resolved can come back, which shows
// that it was not processed.
Result<std::optional<LedgerEntry>> ClaimStore::awaitingNews(const QString &uniqueId)
{
    TRY(const std::optional<LedgerEntry> owner, m_ledger.ownerOf(uniqueId));
    return owner && records::holds(records::FateIs::AwaitingNews, owner->fate) ? owner : std::optional<LedgerEntry>();
}

Result<std::optional<AwaitedReturn>> ClaimStore::awaitedReturn(const QString &uniqueId)
{
    TRY(const std::optional<LedgerEntry> owner, awaitingNews(uniqueId));
    if (!owner)
        return std::optional<AwaitedReturn>();
    return std::optional(AwaitedReturn{owner->operation, owner->attempt, records::mayBeAway(owner->fate),
                                       owner->fate.possibleDuplicate});
}

Result<CameBack> ClaimStore::cameBack(const QString &uniqueId, core::OperationId id, int attempt)
{
    TRY(const std::optional<LedgerEntry> owner, awaitingNews(uniqueId));
    if (!owner || owner->operation != id || owner->attempt != attempt)
        return CameBack{};
    QList<LedgerEntry> member{*owner};
    TRY(const int recorded, m_ledger.record(member, {.event = MemberEvent::CameBack}));
    return recorded == 0 ? CameBack{} : CameBack{true, id};
}

Result<> ClaimStore::acknowledged(const QString &uniqueId, core::TimePoint at)
{
    TRY(const std::optional<LedgerEntry> owner, awaitingNews(uniqueId));
    if (owner) {
        QList<LedgerEntry> member{*owner};
        TRY(m_ledger.record(member, {.event = MemberEvent::Acknowledged, .at = at}));
    }
    return {};
}

Result<> ClaimStore::earlierFailed(core::MessageId message)
{
    TRY(QList<LedgerEntry> owner, m_ledger.ownersOf({message}));
    TRY(m_ledger.record(owner, {.event = MemberEvent::EarlierFailed}));
    return {};
}

Result<int> ClaimStore::heldByBroker(const QList<core::MessageId> &messages, core::TimePoint now)
{
    TRY(const QList<LedgerEntry> owners, m_ledger.ownersOf(messages));
    return int(std::count_if(owners.cbegin(), owners.cend(), [now](const LedgerEntry &member) {
        return records::transitionOf(member.fate, MemberEvent::TakenBack) && member.deliverAt > now;
    }));
}

Result<int> ClaimStore::close(const QList<core::MessageId> &messages, const ClaimEnd &claimEnd)
{
    TRY(QList<LedgerEntry> owners, m_ledger.ownersOf(messages));
    return m_ledger.record(owners,
                           {.event = records::eventOf(claimEnd.closing), .at = claimEnd.at, .who = claimEnd.who});
}

Result<> ClaimStore::endAll()
{
    return m_ledger.endAllClaims();
}

} // namespace store
