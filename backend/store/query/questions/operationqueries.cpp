#include "backend/store/query/questions/operationqueries.h"

#include "backend/api/requests/operations.h"
#include "backend/api/requests/queries.h"
#include "backend/core/limits.h"
#include "backend/records/activitywords.h"
#include "backend/records/rules/memberrules.h"
#include "backend/store/database/database.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/query/querytable.h"
#include "backend/store/query/questions/logqueries.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/retry/retryrecords.h"
#include "backend/store/retry/retrysql.h"

#include <QSet>

namespace store {

namespace {

using core::limits::operationShares;

Result<> addDestinations(Database &database, api::OperationDetail &detail)
{
    QStringList sums;
    for (int outcome = 0; outcome < records::outcomeCount; ++outcome)
        sums.append(QStringLiteral("sum(outcome = %1)").arg(outcome));
    Statement rows = database.sql(QStringLiteral("SELECT destination, %1, sum(came_back), sum(possible_duplicate)"
                                                 " FROM retry_member WHERE operation = ?"
                                                 " GROUP BY destination ORDER BY count(*) DESC, destination LIMIT ?")
                                      .arg(sums.join(QStringLiteral(", "))));
    rows.bind(detail.operation.id, operationShares);
    return rows.each([&] { detail.destinations.append({rows.text(0), countsFrom(rows, 1)}); });
}

bool isUnsent(records::Outcome outcome)
{
    return records::hasEnded(outcome) && outcome != records::Outcome::Sent;
}

Result<> addReasons(Database &database, api::OperationDetail &detail)
{
    using records::Outcome;
    Statement rows = database.sql(QStringLiteral("SELECT outcome, reason, count(*) FROM retry_member"
                                                 " WHERE operation = ? AND outcome IN %1"
                                                 " GROUP BY outcome, reason ORDER BY count(*) DESC, reason LIMIT ?")
                                      .arg(sqlSet<Outcome>(isUnsent)));
    rows.bind(detail.operation.id, operationShares);
    return rows.each([&] { detail.reasons.append({rows.as<Outcome>(0), rows.text(1), rows.integer(2)}); });
}

Result<> addReturns(Database &database, api::OperationDetail &detail)
{
    Statement rows = database.sql(QStringLiteral(
        "SELECT f.group0, coalesce(g.title, ''), count(*), sum(m.cause <> 0 AND m.cause <> f.group0"
        " AND NOT EXISTS (SELECT 1 FROM retry_member l WHERE l.message = m.message"
        " AND l.operation > m.operation)), coalesce(k.note, '')"
        " FROM retry_member m " SQL_USING_INDEX(
            "member_came_back") " JOIN failed_message f ON f.id = m.message LEFT JOIN failure_group g "
                                "ON g.id = f.group0"
                                " LEFT JOIN group_mark k ON k.group_id = f.group0"
                                " WHERE m.operation = ? AND m.came_back = 1"
                                " GROUP BY f.group0, g.id, k.group_id ORDER BY count(*) DESC, f.group0 LIMIT ?"));
    rows.bind(detail.operation.id, operationShares);
    return rows.each([&] {
        detail.returns.append(
            {core::GroupId{rows.integer(0)}, rows.text(1), rows.integer(2), rows.integer(3), rows.text(4)});
    });
}

// Only members that did not come back since.
Result<> addProofs(Database &database, api::OperationDetail &detail)
{
    Statement rows = database.sql(
        QStringLiteral("SELECT closure, count(*), min(closed_at), max(closed_at), min(quiet_for) FROM retry_member"
                       " WHERE operation = ? AND closure IN %1 AND came_back = 0 GROUP BY closure ORDER BY closure")
            .arg(sqlSet<ClaimEndReason>(records::provesProcessed)));
    rows.bind(detail.operation.id);
    return rows.each([&] {
        api::ProofShare share;
        const auto closure = rows.as<ClaimEndReason>(0);
        share.proof = closure == ClaimEndReason::Acknowledged ? api::Proof::Acknowledged
                      : closure == ClaimEndReason::ByHand     ? api::Proof::ByHand
                                                              : api::Proof::Quiet;
        share.count = rows.integer(1);
        share.first = rows.time(2);
        share.last = rows.time(3);
        if (const std::optional<qint64> quiet = rows.optionalInteger(4))
            share.quietFor = core::Milliseconds{*quiet};
        detail.proofs.append(share);
    });
}

Result<> addQuietPeriod(Database &database, api::OperationDetail &detail)
{
    Statement row = database.sql(QStringLiteral("SELECT quiet, takes_to_fail FROM retry_operation WHERE id = ?"));
    TRY(const bool found, row.bind(detail.operation.id).step());
    if (!found)
        return {};
    detail.quiet = core::Milliseconds{row.integer(0)};
    if (const std::optional<qint64> takes = row.optionalInteger(1))
        detail.takesToFail = core::Milliseconds{*takes};
    return {};
}

Result<> addConnection(Database &database, api::OperationDetail &detail)
{
    Statement row = database.sql(QStringLiteral("SELECT name FROM connection WHERE id = ?"));
    TRY(const bool found, row.bind(detail.operation.connection).step());
    if (found)
        detail.connection = row.text(0);
    return {};
}

// Which entries of the activity log are about the operation, or can have slowed it down: its connection, the queues that
// it watches, its policy, a pause of everything, and starts of the engine. What people do elsewhere meanwhile is not its own.
class ActivityOf final
{
public:
    static Result<ActivityOf> read(Database &database, const api::OperationDetail &detail)
    {
        ActivityOf found;
        found.m_operation = records::operationTarget(detail.operation.id);
        for (const QString &name : {detail.connection, detail.operation.policy}) {
            if (!name.isEmpty())
                found.m_targets.insert(name);
        }
        Statement rows = database.sql(QStringLiteral("SELECT queue FROM operation_source WHERE operation = ?"));
        rows.bind(detail.operation.id);
        TRY(rows.each([&] {
            found.m_targets.insert(QStringLiteral("%1 / %2").arg(detail.connection, rows.text(0))); // of an intake
        }));
        return found;
    }

    [[nodiscard]] bool includes(const records::Event &event) const
    {
        return event.onWhat == m_operation || event.onWhat.startsWith(m_operation + QStringLiteral(": "))
               || m_targets.contains(event.onWhat) || m_all.contains(event.what);
    }

private:
    QString m_operation;
    QSet<QString> m_targets;
    QSet<QString> m_all{records::everythingPaused(), records::everythingResumed(), records::engineStarted(),
                        records::engineStopped()};
};

Result<> addEvents(Database &database, core::TimePoint now, api::OperationDetail &detail)
{
    constexpr core::Milliseconds after{1000}; // the log entry about the end is written a moment later
    constexpr int entriesRead = 1000;
    TRY(const ActivityOf activity, ActivityOf::read(database, detail));
    const core::TimePoint end = detail.operation.finished.value_or(now) + after;
    api::EventQuery query;
    query.since = detail.operation.requested;
    query.newestFirst = false;
    query.limit = entriesRead;
    QList<records::Event> page;
    do {
        TRY(page, readEvents(database, query));
        for (const records::Event &event : std::as_const(page)) {
            query.afterSequence = event.sequence;
            if (event.at > end || detail.events.size() == operationShares)
                return {};
            if (activity.includes(event))
                detail.events.append(event);
        }
    } while (page.size() == entriesRead);
    return {};
}

} // namespace

// `now`: the end of an operation that still runs. NotFound: no such operation.
static Result<api::OperationDetail> readOperationDetail(Database &database, RetryOperationStore &operations,
                                                        core::OperationId id, core::TimePoint now)
{
    api::OperationDetail detail;
    TRY(detail.operation, operations.load(id));
    TRY(addConnection(database, detail));
    TRY(addDestinations(database, detail));
    TRY(addReasons(database, detail));
    TRY(addReturns(database, detail));
    TRY(addProofs(database, detail));
    TRY(addQuietPeriod(database, detail));
    TRY(addEvents(database, now, detail));
    return detail;
}

void addOperationQueries(QueryTable &table)
{
    // It reads every member of the operation once: 0.1 s for 100,000.
    table.on<api::OperationDetailQuery>(
        QueryLane::Searching, [](QueryContext &context, const api::OperationDetailQuery &query) {
            return readOperationDetail(context.database, context.retryOperations, query.operation, context.now);
        });
}

} // namespace store
