#include "backend/store/retry/intentstore.h"

#include "backend/store/retry/batchrows.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/retryledger.h"
#include "backend/store/retry/stagingstore.h"

#include <algorithm>

namespace store {

using core::ErrorKind;
using core::fail;
using records::BatchStage;
using records::MemberEvent;

IntentStore::IntentStore(RetryLedger &ledger, StagingStore &staging, ForwardingStore &forwarding, BatchRows &rows)
    : m_ledger(ledger)
    , m_staging(staging)
    , m_forwarding(forwarding)
    , m_rows(rows)
{
}

Result<QList<RetryMember>> IntentStore::unsent(core::BatchId id)
{
    return m_rows.stagedMembers(id, false);
}

Result<QList<RetryMember>> IntentStore::openIntents(core::BatchId id)
{
    return m_rows.stagedMembers(id, true);
}

Result<QList<qint64>> IntentStore::writeIntents(core::BatchId id, const QList<qint64> &ordinals)
{
    TRY(const records::RetryBatch of, m_rows.loadIn(id, BatchStage::Forwarding));
    TRY(QList<LedgerEntry> members, m_ledger.of(of.operation, ordinals));
    members.removeIf([&](const LedgerEntry &member) {
        return member.batch != id || !records::transitionOf(member.fate, MemberEvent::IntentStored);
    });
    TRY(m_ledger.record(members, {.event = MemberEvent::IntentStored}));
    QList<qint64> written;
    for (const LedgerEntry &member : std::as_const(members))
        written.append(member.ordinal);
    std::sort(written.begin(), written.end());
    return written;
}

Result<> IntentStore::writeOutcomes(core::BatchId id, const QList<SendResult> &ends)
{
    TRY(const records::RetryBatch of, m_rows.loadIn(id, BatchStage::Forwarding));
    QList<qint64> ordinals;
    for (const SendResult &one : ends)
        ordinals.append(one.ordinal);
    TRY(QList<LedgerEntry> members, m_ledger.of(of.operation, ordinals));
    members.removeIf([&](const LedgerEntry &member) { return member.batch != id || !member.fate.intent; });
    return m_ledger.record(members, ends);
}

Result<> IntentStore::closeIntentLogBatch(core::BatchId id, const QString &session)
{
    TRY(const records::RetryBatch of, m_rows.loadIn(id, BatchStage::Forwarding));
    if (!of.place.isEmpty()) // what the broker forwards would be sent again
        return fail(ErrorKind::Conflict,
                    QStringLiteral("Retry batch %1 is not sent from the intent log.").arg(id.value));
    TRY(const QList<RetryMember> unsent, m_rows.stagedMembers(id, false));
    QList<qint64> ordinals;
    for (const RetryMember &member : unsent)
        ordinals.append(member.ordinal);
    TRY(m_staging.setAside(id, ordinals, session));
    return m_forwarding.finishForwarding(id, {}); // Conflict where an intent is open
}

} // namespace store
