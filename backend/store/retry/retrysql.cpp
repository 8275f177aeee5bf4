#include "backend/store/retry/retrysql.h"

#include <QCborArray>
#include <QCborValue>

#include <array>

namespace store {

namespace {

using Counts = records::OutcomeCounts;
constexpr std::array fields{&Counts::pending,  &Counts::claimed,           &Counts::staged,  &Counts::sent,
                            &Counts::skipped,  &Counts::ejected,           &Counts::inDoubt, &Counts::cancelled,
                            &Counts::cameBack, &Counts::possibleDuplicates};

// In a damaged file a number may be no outcome: it is not counted.
void add(Counts &counts, qint64 outcome, qint64 members)
{
    if (outcome >= 0 && outcome <= qint64(records::Outcome::Cancelled))
        counts.*fields.at(size_t(outcome)) += members;
}

} // namespace

QString countColumns()
{
    return QStringLiteral("pending, claimed, staged, sent, skipped, ejected, in_doubt, cancelled, came_back,"
                          " possible_duplicates");
}

records::OutcomeCounts countsFrom(const Statement &row, int firstColumn)
{
    records::OutcomeCounts counts;
    for (const auto field : fields)
        counts.*field = row.integer(firstColumn++);
    return counts;
}

QVariantList valuesOf(const records::OutcomeCounts &counts)
{
    QVariantList values;
    for (const auto field : fields)
        values.append(counts.*field);
    return values;
}

records::OutcomeCounts difference(const records::OutcomeCounts &after, const records::OutcomeCounts &before)
{
    records::OutcomeCounts delta;
    for (const auto field : fields)
        delta.*field = after.*field - before.*field;
    return delta;
}

records::OutcomeCounts sum(const records::OutcomeCounts &a, const records::OutcomeCounts &b)
{
    records::OutcomeCounts both;
    for (const auto field : fields)
        both.*field = a.*field + b.*field;
    return both;
}

records::OutcomeCounts countsOf(const records::Fate &fate)
{
    Counts counts;
    add(counts, qint64(fate.outcome), 1);
    counts.cameBack = fate.cameBack ? 1 : 0;
    counts.possibleDuplicates = fate.possibleDuplicate ? 1 : 0;
    return counts;
}

QString countMembers()
{
    return QStringLiteral("SELECT outcome, count(*), sum(came_back), sum(possible_duplicate) FROM retry_member WHERE ");
}

Result<Counts> countsByOutcome(Statement &rows)
{
    Counts counts;
    TRY(rows.each([&] {
        add(counts, rows.integer(0), rows.integer(1));
        counts.cameBack += rows.integer(2);
        counts.possibleDuplicates += rows.integer(3);
    }));
    return counts;
}

QByteArray redirectsToCbor(const QList<records::Redirect> &redirects)
{
    QCborArray all;
    for (const records::Redirect &one : redirects)
        all.append(QCborArray{int(one.of), one.from, one.to});
    return QCborValue(all).toCbor();
}

QList<records::Redirect> redirectsFromCbor(const QByteArray &cbor)
{
    using Of = records::Redirect::Of;
    QList<records::Redirect> redirects;
    const QCborArray all = QCborValue::fromCbor(cbor).toArray();
    for (const QCborValue &value : all) {
        const QCborArray one = value.toArray();
        const qint64 of = one.at(0).toInteger(-1);
        if (of >= int(Of::Queue) && of <= int(Of::Everything))
            redirects.append({Of(of), one.at(1).toString(), one.at(2).toString()});
    }
    return redirects;
}

QString memberColumns()
{
    return QStringLiteral(
        "SELECT m.operation, m.ordinal, m.message, f.unique_id, m.destination, m.batch, m.outcome,"
        " m.attempt, m.stage_attempts, m.intent, m.came_back, m.possible_duplicate, m.reason, m.deliver_at");
}

QString takenBackCopies()
{
    return QStringLiteral("FROM retry_member e WHERE e.closure = %1 AND e.came_back = 0")
        .arg(int(ClaimEndReason::TakenBack));
}

QString waitsOnlyForAnswers()
{
    return QStringLiteral("EXISTS (SELECT 1 FROM operation_source x WHERE x.operation = o.id AND x.aim = 2)");
}

} // namespace store
