#include "backend/store/retry/stagingstore.h"

#include "backend/core/limits.h"
#include "backend/records/rules/memberrules.h"
#include "backend/store/retry/batchrows.h"
#include "backend/store/retry/retryledger.h"

#include <QSet>

#include <algorithm>

namespace store {

using core::ErrorKind;
using core::fail;
using records::BatchStage;
using records::MemberEvent;
using records::Outcome;

StagingStore::StagingStore(RetryLedger &ledger, BatchRows &rows)
    : m_ledger(ledger)
    , m_rows(rows)
{
}

Result<std::optional<records::RetryBatch>> StagingStore::addBatch(core::OperationId id, const QString &session,
                                                                  int members)
{
    TRY(QList<LedgerEntry> next, m_ledger.waiting(id, std::min(members, core::limits::batchMembers)));
    if (next.isEmpty())
        return std::optional<records::RetryBatch>{};
    TRY(const core::BatchId made, m_ledger.addBatch(id, BatchStage::MarkingDocuments, session, next));
    TRY(m_ledger.record(next, {.event = MemberEvent::Batched, .batch = made}));
    TRY(const records::RetryBatch added, m_rows.load(made));
    return std::optional<records::RetryBatch>{added};
}

Result<> StagingStore::claimMembers(core::BatchId id)
{
    TRY(m_rows.loadIn(id, BatchStage::MarkingDocuments));
    TRY(QList<LedgerEntry> members, m_ledger.ofBatch(id));
    QSet<core::MessageId> claimed;
    for (LedgerEntry &member : members) { // nothing but freezing keeps a set from naming a message twice
        if (claimed.contains(member.message))
            member.fate.claim = records::Claim::Anothers;
        claimed.insert(member.message);
    }
    TRY(m_ledger.record(members, {.event = MemberEvent::Claiming, .reason = records::claimedByAnother()}));
    return {};
}

Result<> StagingStore::beginStaging(core::BatchId id)
{
    TRY(m_rows.loadIn(id, BatchStage::MarkingDocuments));
    return m_ledger.setStage(id, BatchStage::Staging);
}

Result<QList<RetryMember>> StagingStore::nameStaging(core::BatchId id, const QString &stagingId, const QString &place)
{
    TRY(m_rows.loadIn(id, BatchStage::Staging));
    TRY(m_ledger.nameStaging(id, stagingId, place));
    TRY(QList<LedgerEntry> members, m_ledger.ofBatch(id));
    QHash<qint64, QString> reasons;
    for (const LedgerEntry &member : std::as_const(members))
        reasons.insert(member.ordinal, records::whySkipped(member.fate.message));
    TRY(m_ledger.record(members, {.event = MemberEvent::StagingNamed, .only = reasons}));
    return m_rows.members(id, Outcome::Claimed);
}

Result<> StagingStore::countRefusals(core::BatchId id, const QList<MemberReason> &refused)
{
    TRY(m_rows.loadIn(id, BatchStage::Staging));
    TRY(QList<LedgerEntry> members, m_ledger.ofBatch(id));
    const QHash<qint64, QString> reasons = byOrdinal(refused);
    TRY(m_ledger.record(members, {.event = MemberEvent::StagingRefused, .only = reasons}));
    members.removeIf([](const LedgerEntry &member) { return member.stageAttempts < core::limits::stageAttempts; });
    TRY(m_ledger.record(members, {.event = MemberEvent::Ejected, .only = reasons}));
    return {};
}

Result<> StagingStore::eject(core::BatchId id, const QList<MemberReason> &ejected)
{
    TRY(m_rows.loadIn(id, BatchStage::Staging));
    TRY(QList<LedgerEntry> members, m_ledger.ofBatch(id));
    TRY(m_ledger.record(members, {.event = MemberEvent::Ejected, .only = byOrdinal(ejected)}));
    return {};
}

Result<> StagingStore::beginForwarding(core::BatchId id, const QString &stagingId, int staged)
{
    TRY(const records::RetryBatch of, m_rows.loadIn(id, BatchStage::Staging));
    TRY(const std::optional<records::RetryBatch> other, m_rows.nowForwarding(of.connection));
    TRY(QList<LedgerEntry> members, m_ledger.ofBatch(id));
    const auto conflict = [&] {
        return fail(ErrorKind::Conflict, QStringLiteral("Retry batch %1 changed while it was staged.").arg(id.value));
    };
    const auto claimed = std::count_if(members.cbegin(), members.cend(), [](const LedgerEntry &member) {
        return member.fate.outcome == Outcome::Claimed;
    });
    if (other || of.stagingId != stagingId || claimed != staged)
        return conflict();
    TRY(const int issued, m_ledger.record(members, {.event = MemberEvent::Staged}));
    if (issued != staged)
        return conflict(); // rolls back
    return m_ledger.point(of, staged);
}

Result<> StagingStore::finishEmpty(core::BatchId id)
{
    TRY(const records::RetryBatch of, m_rows.loadIn(id, BatchStage::Staging));
    if (of.counts.open() > 0)
        return fail(ErrorKind::Conflict, QStringLiteral("Retry batch %1 is not empty.").arg(id.value));
    return m_ledger.setStage(id, BatchStage::Done);
}

Result<core::BatchId> StagingStore::setAside(core::BatchId id, const QList<qint64> &ordinals, const QString &session)
{
    TRY(const records::RetryBatch of, m_rows.load(id));
    TRY(QList<LedgerEntry> members, m_ledger.of(of.operation, ordinals));
    members.removeIf([&](const LedgerEntry &member) {
        return member.batch != id || !records::transitionOf(member.fate, MemberEvent::SetAside);
    });
    if (members.isEmpty())
        return core::BatchId{};
    TRY(const core::BatchId made, m_ledger.addBatch(of.operation, BatchStage::Staging, session, members));
    TRY(m_ledger.record(members, {.event = MemberEvent::SetAside, .batch = made}));
    return made;
}

} // namespace store
