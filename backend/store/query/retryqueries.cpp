#include "backend/store/query/retryqueries.h"

#include "backend/store/sqlite/database.h"

#include <QCoreApplication>

#include <algorithm>

namespace store {

static constexpr int operationsSearched = 500;
static constexpr int membersMost = 10'000;

static api::MemberRow rowOf(const RetryMember &member)
{
    return {member.operation, member.ordinal,  member.message,           member.uniqueId, member.destination,
            member.outcome,   member.cameBack, member.possibleDuplicate, member.reason};
}

Result<QList<api::MemberRow>> readMembers(RetryStore &retries, const api::MemberQuery &query)
{
    const int limit = std::clamp(query.limit, 0, membersMost);
    QList<core::OperationId> operations{query.operation};
    if (!query.operation.isValid()) {
        operations.clear();
        const Result<QList<records::RetryOperation>> all = retries.operations({}, operationsSearched);
        if (!all)
            return core::fail(all.error());
        for (const records::RetryOperation &one : *all)
            operations.append(one.id);
    }
    QList<api::MemberRow> rows;
    for (const core::OperationId operation : std::as_const(operations)) {
        if (rows.size() >= limit)
            break;
        const Result<QList<RetryMember>> members =
            retries.members(operation, query.outcome, query.afterOrdinal, limit - static_cast<int>(rows.size()));
        if (!members)
            return core::fail(members.error());
        for (const RetryMember &member : *members)
            rows.append(rowOf(member));
    }
    return rows;
}

// Each retry of the message as one line: which operation, where to, and what became of it.
static QString trailLine(Statement &rows)
{
    const auto outcome = rows.as<records::Outcome>(2);
    const QString what = QCoreApplication::translate("store", "Retry operation %1, batch %2, to %3: %4")
                             .arg(rows.integer(0))
                             .arg(rows.integer(1))
                             .arg(rows.text(3), records::toString(outcome));
    QStringList parts{what};
    if (!rows.text(4).isEmpty())
        parts.append(rows.text(4));
    if (rows.integer(5) != 0)
        parts.append(QCoreApplication::translate("store", "came back"));
    if (rows.integer(6) != 0)
        parts.append(QCoreApplication::translate("store", "may have been sent twice"));
    return parts.join(QStringLiteral("; "));
}

Result<QList<api::TrailEntry>> readTrail(Database &database, const api::MessageDetail &detail)
{
    QList<api::TrailEntry> trail;
    for (auto attempt = detail.attempts.crbegin(); attempt != detail.attempts.crend(); ++attempt)
        trail.append(
            {attempt->takenAt, QCoreApplication::translate("store", "Failed, taken from %1").arg(attempt->queue), {}});
    Statement rows = database.sql(QStringLiteral(
        "SELECT m.operation, b.number, m.outcome, m.destination, m.reason, m.came_back, m.possible_duplicate, o.who,"
        " coalesce(o.started, o.requested) FROM retry_member m JOIN retry_operation o ON o.id = m.operation"
        " LEFT JOIN retry_batch b ON b.id = m.batch WHERE m.message = ? ORDER BY m.operation"));
    rows.bind(detail.message.id);
    const Result<> read = rows.each([&] { trail.append({rows.time(8), trailLine(rows), rows.text(7)}); });
    if (!read)
        return core::fail(read.error());
    std::stable_sort(trail.begin(), trail.end(),
                     [](const api::TrailEntry &a, const api::TrailEntry &b) { return a.at < b.at; });
    return trail;
}

// The newest members tell: one that is in retry, and the newest that lies here (it may have come back). Two probes of an
// index, whatever the size of the group.
Result<> addNewestOperation(Database &database, records::Classifier classifier, api::GroupRow &group)
{
    const QString probe = QStringLiteral("SELECT c.operation FROM (SELECT id FROM failed_message WHERE group%1 = ?"
                                         " AND status = ? ORDER BY last_failed DESC LIMIT 1) m"
                                         " JOIN claim c ON c.message = m.id")
                              .arg(int(classifier));
    Statement newest = database.sql(QStringLiteral("SELECT max(operation) FROM (%1 UNION ALL %1)").arg(probe));
    newest.bind(group.id, records::MessageStatus::RetryIssued, group.id, records::MessageStatus::Unresolved);
    const Result<bool> row = newest.step();
    if (!row)
        return core::fail(row.error());
    group.operation = core::OperationId{newest.integer(0)};
    return {};
}

} // namespace store
