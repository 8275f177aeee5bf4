#include "backend/store/query/questions/retryqueries.h"

#include "backend/api/requests/operations.h"
#include "backend/records/rules/messagetrail.h"
#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/messages/imports.h"
#include "backend/store/query/querytable.h"
#include "backend/store/query/questions/groupplaces.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"

#include <algorithm>

namespace store {

static constexpr int operationsSearched = 500;
static constexpr int membersMost = 10'000;

static Result<QList<records::RetryMember>> readMembers(QueryContext &context, const api::MemberQuery &query)
{
    const int limit = std::clamp(query.limit, 0, membersMost);
    QList<core::OperationId> operations{query.operation};
    if (!query.operation.isValid()) {
        operations.clear();
        TRY(const QList<records::RetryOperation> all, context.retryOperations.listed({}, operationsSearched));
        for (const records::RetryOperation &one : all)
            operations.append(one.id);
    }
    QList<records::RetryMember> rows;
    for (const core::OperationId operation : std::as_const(operations)) {
        if (rows.size() >= limit)
            break;
        TRY(const QList<records::RetryMember> members,
            context.retryBatches.members(operation, query.outcome, query.afterOrdinal,
                                         limit - static_cast<int>(rows.size())));
        rows += members;
    }
    return rows;
}

namespace {

Result<QList<records::MessageRetry>> retriesOf(Database &database, core::MessageId message)
{
    Statement rows = database.sql(QStringLiteral(
        "SELECT m.operation, o.kind, b.number, m.outcome, m.destination, m.reason, m.came_back, m.possible_duplicate,"
        " o.who, coalesce(o.started, o.requested), o.finished,"
        " m.closure, m.closed_at, m.closed_by, m.quiet_for,"
        " EXISTS (SELECT 1 FROM operation_edit e WHERE e.operation = m.operation), b.sent_from, b.sent_until,"
        " m.deliver_at FROM retry_member m"
        " JOIN retry_operation o ON o.id = m.operation"
        " LEFT JOIN retry_batch b ON b.id = m.batch WHERE m.message = ? ORDER BY m.operation"));
    rows.bind(message);
    QList<records::MessageRetry> retries;
    TRY(rows.each([&] {
        records::MessageRetry retry;
        retry.operation = {rows.integer(0)};
        retry.kind = rows.as<records::OperationKind>(1);
        retry.batch = rows.optionalInteger(2);
        retry.outcome = rows.as<records::Outcome>(3);
        retry.destination = rows.text(4);
        retry.reason = rows.text(5);
        retry.cameBack = rows.integer(6) != 0;
        retry.possibleDuplicate = rows.integer(7) != 0;
        retry.who = rows.text(8);
        retry.began = rows.time(9);
        retry.ended = rows.optionalTime(10);
        retry.closure = rows.as<ClaimEndReason>(11);
        retry.closed = rows.optionalTime(12);
        retry.closedBy = rows.text(13);
        retry.quietFor = rows.optionalSpan(14);
        retry.edited = rows.integer(15) != 0;
        retry.sentFrom = rows.optionalTime(16);
        retry.sentUntil = rows.optionalTime(17);
        retry.deliverAt = rows.optionalTime(18);
        retries.append(retry);
    }));
    return retries;
}

Result<QList<records::MessageDecision>> decisionsAbout(Database &database, core::MessageId message)
{
    Statement rows =
        database.sql(QStringLiteral("SELECT at, status, who FROM message_decision WHERE message = ? ORDER BY at"));
    QList<records::MessageDecision> decisions;
    TRY(rows.bind(message).each([&] {
        decisions.append({rows.time(0), rows.as<records::MessageStatus>(1), rows.text(2)});
    }));
    return decisions;
}

} // namespace

Result<QList<records::TrailEntry>> readTrail(Database &database, const api::MessageDetail &detail)
{
    const core::MessageId message = detail.message.id;
    records::MessageHistory history;
    history.failures = detail.attempts;
    history.hasFirst = detail.attempts.size() == detail.message.attempts;
    history.isBrowsedOnly = detail.message.flags.testFlag(records::MessageFlag::BrowsedOnly);
    TRY(history.imported, readImport(database, message));
    TRY(history.retries, retriesOf(database, message));
    TRY(history.decisions, decisionsAbout(database, message));
    return records::trailOf(history);
}

// Operations whose sets contained messages of this group when they were frozen.
Result<> addNewestOperations(Database &database, QList<api::GroupRow> &groups)
{
    const QHash<core::GroupId, qsizetype> places = placesOf(groups);
    Statement newest = database.sql(QStringLiteral("SELECT group_id, max(operation) FROM operation_group WHERE group_id"
                                                   " IN " SQL_LIST_VALUES " GROUP BY group_id"));
    newest.bind(listOf(places.keys()));
    return newest.each([&] {
        groups[places.value(core::GroupId{newest.integer(0)})].operation = core::OperationId{newest.integer(1)};
    });
}

void addRetryQueries(QueryTable &table)
{
    table.on<api::MemberQuery>(QueryLane::Visible, [](QueryContext &context, const api::MemberQuery &query) {
        return readMembers(context, query);
    });
}

} // namespace store
