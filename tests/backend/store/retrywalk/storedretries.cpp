#include "tests/backend/store/retrywalk/storedretries.h"

#include "backend/store/database/database.h"
#include "backend/store/retry/retrysql.h"
#include "tests/support/must.h"

#include <QSet>

namespace test {

using records::Claim;
using records::OutcomeCounts;

namespace {

struct StoredMember
{
    RetryModel::Key key;
    core::MessageId message;
    core::BatchId batch;
    int attempt = 0;
    int refusals = 0;
    QString reason;
    ModelClosing closing;
    records::Fate fate;
};

const QString readMembers = QStringLiteral(
    "SELECT m.operation, m.ordinal, m.message, m.batch, m.attempt, m.stage_attempts, m.outcome, m.closure, f.status,"
    " CASE WHEN c.message IS NULL THEN 0 WHEN c.operation = m.operation AND c.ordinal = m.ordinal THEN 2 - c.live"
    " ELSE 3 * c.live END,"
    " m.intent + 2 * m.came_back + 4 * m.possible_duplicate + CASE WHEN b.place <> '' THEN 8 ELSE 0 END"
    " + CASE WHEN (f.flags & 4 <> 0"
    " OR EXISTS (SELECT 1 FROM retry_member e WHERE e.message = m.message AND e.operation <> m.operation"
    " AND (e.closure = 3 OR e.outcome = 6) AND e.came_back = 0)) THEN 16 ELSE 0 END, m.reason,"
    " m.closed_at, m.closed_by, m.quiet_for"
    " FROM retry_member m JOIN failed_message f ON f.id = m.message LEFT JOIN claim c ON c.message = m.message"
    " LEFT JOIN retry_batch b ON b.id = m.batch AND m.batch > 0 ORDER BY m.operation, m.ordinal");

std::optional<core::Milliseconds> quietPeriod(const store::Statement &row, int column)
{
    const std::optional<qint64> ms = row.optionalInteger(column);
    return ms ? std::optional(core::Milliseconds{*ms}) : std::nullopt;
}

QString closingText(const ModelClosing &closing)
{
    return QStringLiteral("%1 by '%2' after %3")
        .arg(closing.at ? core::toMs(*closing.at) : 0)
        .arg(closing.who)
        .arg(closing.quietFor ? closing.quietFor->count() : 0);
}

QList<StoredMember> storedMembers(store::Database &database)
{
    QList<StoredMember> found;
    store::Statement rows = database.sql(readMembers);
    must(rows.each([&] {
        StoredMember one{{rows.integer(0), rows.integer(1)},
                         core::MessageId{rows.integer(2)},
                         core::BatchId{rows.integer(3)},
                         int(rows.integer(4)),
                         int(rows.integer(5)),
                         rows.text(11),
                         {rows.optionalTime(12), rows.text(13), quietPeriod(rows, 14)},
                         {}};
        one.fate.outcome = rows.as<records::Outcome>(6);
        one.fate.closure = rows.as<records::ClaimEndReason>(7);
        one.fate.message = rows.as<records::MessageStatus>(8);
        one.fate.claim = rows.as<Claim>(9);
        const qint64 facts = rows.integer(10);
        one.fate.batched = one.batch.isValid();
        one.fate.intent = (facts & 1) != 0;
        one.fate.cameBack = (facts & 2) != 0;
        one.fate.possibleDuplicate = (facts & 4) != 0;
        one.fate.viaQueue = (facts & 8) != 0;
        one.fate.earlierCopy = (facts & 16) != 0;
        found.append(one);
    }));
    return found;
}

QString named(const RetryModel::Key &key, core::MessageId message)
{
    return QStringLiteral("member %1 of operation %2 (message %3)").arg(key.second).arg(key.first).arg(message.value);
}

QString memberDiffers(const ModelMember &member, const StoredMember &stored)
{
    const QString who = named(stored.key, stored.message);
    if (!(member.fate == stored.fate))
        return QStringLiteral("%1\n  the store: %2\n  the model: %3")
            .arg(who, toString(stored.fate), toString(member.fate));
    const QString impossible = records::whyImpossible(stored.fate);
    if (!impossible.isEmpty())
        return QStringLiteral("%1: %2\n  both: %3").arg(who, impossible, toString(stored.fate));
    if (member.reason != stored.reason)
        return QStringLiteral("%1: the reason is '%2' in the store, '%3' in the model\n  both: %4")
            .arg(who, stored.reason, member.reason, toString(stored.fate));
    if (!(member.closing == stored.closing))
        return QStringLiteral("%1: its claim ended %2 in the store, %3 in the model\n  both: %4")
            .arg(who, closingText(stored.closing), closingText(member.closing), toString(stored.fate));
    if (member.batch != stored.batch || member.attempt != stored.attempt || member.refusals != stored.refusals)
        return QStringLiteral("%1: batch, attempt, refusals: %2, %3, %4 in the store, %5, %6, %7 in the model")
            .arg(who)
            .arg(stored.batch.value)
            .arg(stored.attempt)
            .arg(stored.refusals)
            .arg(member.batch.value)
            .arg(member.attempt)
            .arg(member.refusals);
    return {};
}

QString membersDiffer(const QList<StoredMember> &stored, const RetryModel &model)
{
    QSet<core::MessageId> owned;
    for (const StoredMember &one : stored) {
        const auto member = model.members.find(one.key);
        if (member == model.members.end())
            return named(one.key, one.message) + QStringLiteral(" is only in the store");
        const QString differs = memberDiffers(member->second, one);
        if (!differs.isEmpty())
            return differs;
        if (one.fate.claim == Claim::Own && owned.contains(one.message))
            return named(one.key, one.message) + QStringLiteral(" owns what another owns");
        if (one.fate.claim == Claim::Own)
            owned.insert(one.message);
    }
    if (stored.size() != qsizetype(model.members.size()))
        return QStringLiteral("the store has %1 members, the model %2").arg(stored.size()).arg(model.members.size());
    for (const auto &[id, message] : model.messages) {
        if (message.status == records::MessageStatus::RetryIssued && !owned.contains(message.id))
            return QStringLiteral("message %1 is RetryIssued and of no retry").arg(id);
    }
    return {};
}

// Of members whose messages were removed.
void countGone(store::Database &database, std::map<qint64, OutcomeCounts> &batches,
               std::map<qint64, OutcomeCounts> &operations)
{
    store::Statement rows = database.sql(QStringLiteral("SELECT operation, batch, ") + store::countColumns()
                                         + QStringLiteral(" FROM member_gone"));
    must(rows.each([&] {
        const OutcomeCounts gone = store::countsFrom(rows, 2);
        OutcomeCounts &ofOperation = operations[rows.integer(0)];
        ofOperation = store::sum(ofOperation, gone);
        OutcomeCounts &ofBatch = batches[rows.integer(1)];
        ofBatch = store::sum(ofBatch, gone);
    }));
}

QString toString(const OutcomeCounts &counts)
{
    QStringList numbers;
    for (const QVariant &number : store::valuesOf(counts))
        numbers.append(number.toString());
    return numbers.join(u' ');
}

QString countsDiffer(const QString &what, const OutcomeCounts &kept, const OutcomeCounts &counted)
{
    return kept == counted ? QString()
                           : QStringLiteral("counts of %1: kept %2, counted %3 (%4)")
                                 .arg(what, toString(kept), toString(counted), store::countColumns());
}

QString batchDiffers(store::Statement &row, const RetryModel &model, std::map<qint64, OutcomeCounts> &counted)
{
    const qint64 id = row.integer(0);
    const QString what = QStringLiteral("batch %1").arg(id);
    const auto batch = model.batches.find(id);
    if (batch == model.batches.end())
        return what + QStringLiteral(" is only in the store");
    const ModelBatch &one = batch->second;
    const bool isForwarding = one.stage == records::BatchStage::Forwarding;
    if (one.stage != row.as<records::BatchStage>(1) || one.stagingId != row.text(2) || one.place != row.text(3)
        || isForwarding != (row.integer(4) != 0))
        return QStringLiteral("%1 is %2, '%3' at '%4', pointer %5; the model: %6, '%7' at '%8'")
            .arg(what, records::toString(row.as<records::BatchStage>(1)), row.text(2), row.text(3), row.text(4),
                 records::toString(one.stage), one.stagingId, one.place);
    if (one.isSettled != (row.integer(5) != 0))
        return QStringLiteral("%1: settled is %2 in the store").arg(what, row.text(5));
    return countsDiffer(what, store::countsFrom(row, 6), counted[id]);
}

QString operationDiffers(store::Statement &row, const RetryModel &model, std::map<qint64, OutcomeCounts> &counted)
{
    const qint64 id = row.integer(0);
    const QString what = QStringLiteral("operation %1").arg(id);
    const auto operation = model.operations.find(id);
    if (operation == model.operations.end())
        return what + QStringLiteral(" is only in the store");
    const OutcomeCounts kept = store::countsFrom(row, 4);
    if (operation->second.state != row.as<records::OperationState>(1)
        || operation->second.isFinished != (row.integer(2) != 0) || kept.sum() != row.integer(3))
        return QStringLiteral("%1: state %2, finished %3, total %4, and the counts %5")
            .arg(what, row.text(1), row.text(2), row.text(3), toString(kept));
    return countsDiffer(what, kept, counted[id]);
}

} // namespace

QString whatDiffers(store::Database &database, const RetryModel &model)
{
    const QList<StoredMember> stored = storedMembers(database);
    QString wrong = membersDiffer(stored, model);
    std::map<qint64, OutcomeCounts> ofBatches;
    std::map<qint64, OutcomeCounts> ofOperations;
    for (const StoredMember &one : stored) {
        OutcomeCounts &ofBatch = ofBatches[one.batch.value];
        ofBatch = store::sum(ofBatch, store::countsOf(one.fate));
        OutcomeCounts &ofOperation = ofOperations[one.key.first];
        ofOperation = store::sum(ofOperation, store::countsOf(one.fate));
    }
    countGone(database, ofBatches, ofOperations);
    size_t seen = 0;
    store::Statement batches = database.sql(
        QStringLiteral("SELECT id, stage, staging_id, place, EXISTS (SELECT 1 FROM now_forwarding n"
                       " WHERE n.batch = retry_batch.id AND n.connection = retry_batch.connection), settled, ")
        + store::countColumns() + QStringLiteral(" FROM retry_batch"));
    must(batches.each([&] {
        ++seen;
        if (wrong.isEmpty())
            wrong = batchDiffers(batches, model, ofBatches);
    }));
    store::Statement operations = database.sql(QStringLiteral("SELECT id, state, finished IS NOT NULL, total, ")
                                               + store::countColumns() + QStringLiteral(" FROM retry_operation"));
    must(operations.each([&] {
        ++seen;
        if (wrong.isEmpty())
            wrong = operationDiffers(operations, model, ofOperations);
    }));
    if (wrong.isEmpty() && seen != model.batches.size() + model.operations.size())
        wrong = QStringLiteral("a batch or an operation is missing in the store");
    return wrong;
}

} // namespace test
