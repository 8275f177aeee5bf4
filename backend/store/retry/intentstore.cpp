#include "backend/store/retry/intentstore.h"

#include "backend/store/database/database.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/retry/batchrows.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/retrysql.h"
#include "backend/store/retry/stagingstore.h"

#include <algorithm>
#include <array>

namespace store {

using records::BatchStage;
using records::Outcome;

IntentStore::IntentStore(Database &database, StagingStore &staging, ForwardingStore &forwarding, BatchRows &rows)
    : m_database(database)
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
    QList<qint64> written;
    Statement rows = m_database.sql(
        QStringLiteral("UPDATE retry_member SET intent = 1 WHERE operation = ? AND batch = ? AND outcome = %1"
                       " AND intent = 0 AND ordinal IN " SQL_LIST_VALUES " RETURNING ordinal")
            .arg(numberOf(Outcome::Staged)));
    TRY(rows.bind(of.operation, id, listOf(ordinals)).each([&] { written.append(rows.integer(0)); }));
    std::sort(written.begin(), written.end());
    return written;
}

Result<> IntentStore::writeOutcomes(core::BatchId id, const QList<IntentOutcome> &outcomes)
{
    using End = IntentOutcome::End;
    TRY(const records::RetryBatch of, m_rows.loadIn(id, BatchStage::Forwarding));
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
            TRY(m_database.execute(
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
                                         " AND ordinal IN " SQL_LIST_VALUES)
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
        TRY(const int done, m_database.execute(set + where, {of.operation.value, id.value, listOf(*ordinals)}));
        if (ordinals == &sent) {
            after.staged -= done;
            after.sent += done;
        }
    }
    // Usually every message was accepted or not sent: then no rows need to be counted again.
    if (sent.size() + notSent.size() == outcomes.size())
        return m_rows.keepCounts(of, after);
    return m_rows.endMembers(of, Outcome::Staged, Outcome::Ejected, ejected);
}

Result<> IntentStore::closeIntentLogBatch(core::BatchId id, const QString &session)
{
    TRY(m_rows.loadIn(id, BatchStage::Forwarding));
    TRY(const QList<RetryMember> all, m_rows.members(id));
    QList<qint64> unsent;
    for (const RetryMember &member : all) {
        if (member.outcome == Outcome::Staged)
            unsent.append(member.ordinal);
    }
    // An open intent: Conflict, and the transaction is rolled back.
    TRY(m_staging.setAside(id, unsent, session));
    return m_forwarding.finishForwarding(id, {});
}

} // namespace store
