#include "backend/store/query/questions/assignmentqueries.h"

#include "backend/api/requests/assignmentpreview.h"
#include "backend/records/retries/retry.h"
#include "backend/recovery/assignment.h"
#include "backend/recovery/decision.h"
#include "backend/store/database/database.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/messages/messagerow.h"
#include "backend/store/policies/policysql.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/query/querytable.h"

#include <limits>

namespace store {

using core::Result;
using recovery::HeldState;

namespace {

using Of = recovery::Scope::Of;

constexpr core::AssignmentId wantedId{std::numeric_limits<qint64>::max()};

// A group belongs to one connection, which a request does not name.
bool isSame(const recovery::Scope &stored, const recovery::Scope &asked)
{
    return stored.of == Of::Group ? asked.of == Of::Group && stored.group == asked.group : stored == asked;
}

// The assignments as they would be. The one of the same scope, if there is one, would be this.
Result<recovery::Assignments> assignmentsWith(PolicyStore &policies, const api::PreviewAssignment &query)
{
    TRY(const QList<StoredAssignment> known, policies.assignments());
    QList<recovery::Assignment> all;
    for (const StoredAssignment &one : known) {
        if (!isSame(one.assignment.scope, query.scope))
            all.append(one.assignment);
    }
    all.append({wantedId, query.policy, query.scope});
    return recovery::Assignments(all);
}

// The messages that may be of this scope, by an index where there is one.
QString candidatesOf(const recovery::Scope &scope, int classifier)
{
    if (scope.of == Of::Queue)
        return QStringLiteral("m.connection = ? AND m.queue = ?");
    if (scope.of == Of::Group)
        return QStringLiteral("m.group%1 = ?").arg(classifier);
    return scope.connection.isValid() ? QStringLiteral("m.connection = ?") : QStringLiteral("TRUE");
}

QVariantList valuesOf(const recovery::Scope &scope)
{
    if (scope.of == Of::Queue)
        return {scope.connection.value, Statement::toVariant(scope.queue)};
    if (scope.of == Of::Group)
        return {scope.group.value};
    return scope.connection.isValid() ? QVariantList{scope.connection.value} : QVariantList{};
}

Result<int> classifierOf(Database &database, core::GroupId group)
{
    Statement row = database.sql(QStringLiteral("SELECT classifier FROM failure_group WHERE id = ?"));
    TRY(const bool found, row.bind(group).step());
    return found ? int(row.integer(0)) : 0;
}

QString selection(const recovery::Scope &scope, int classifier)
{
    return QStringLiteral(
               "SELECT %1, m.group0, m.group1, m.group2, m.group3, m.group4,"
               " " SQL_GREATEST(
                   "m.created",
                   "m.failed_in") ","
                                  " EXISTS (SELECT 1 FROM retry_member r JOIN retry_operation o ON o.id = r.operation"
                                  " WHERE r.message = m.id AND r.outcome = %2 AND o.finished IS NULL AND o.policy = "
                                  "''),"
                                  " %3 FROM %4 LEFT JOIN policy_message p ON p.message = m.id"
                                  " WHERE %5 AND m.status = ? AND m.flags & ? = 0"
                                  " AND NOT EXISTS (SELECT 1 FROM message_import i WHERE i.message = m.id)")
        .arg(messageColumns(), numberOf(records::Outcome::Pending), heldColumns(), messageTables(),
             candidatesOf(scope, classifier));
}

// Whether the policy would get this message.
bool wouldGet(const recovery::Assignments &assignments, const recovery::Subject &subject,
              const std::optional<recovery::HeldMessage> &held)
{
    const recovery::Assignment *const of = assignments.of(subject);
    return of != nullptr && of->id == wantedId && !(held && held->state == HeldState::Excluded);
}

Result<api::AssignmentPreview> previewAssignment(QueryContext &context, const api::PreviewAssignment &query)
{
    PolicyStore policies(context.database);
    TRY(const StoredPolicy stored, policies.policy(query.policy));
    TRY(const recovery::Assignments assignments, assignmentsWith(policies, query));
    TRY(const int classifier, classifierOf(context.database, query.scope.group));
    const recovery::Decider decider(stored.policy);
    api::AssignmentPreview preview;
    Statement rows = context.database.sql(selection(query.scope, classifier));
    rows.bindAll(valuesOf(query.scope))
        .bind(records::MessageStatus::Unresolved, int(records::MessageFlag::BrowsedOnly));
    TRY(rows.each([&] {
        const records::FailedMessage message = readMessage(rows);
        int column = messageColumnCount;
        std::array<core::GroupId, records::classifierCount> groups;
        for (core::GroupId &group : groups)
            group = {rows.integer(column++)};
        recovery::Subject subject = recovery::subjectOf(message, groups);
        subject.failedIn = rows.integer(column++);
        const bool isFrozen = rows.integer(column++) != 0;
        const std::optional<recovery::HeldMessage> held =
            rows.isNull(column) ? std::nullopt : std::optional(readHeld(rows, column));
        if (!wouldGet(assignments, subject, held))
            return;
        ++preview.existing;
        preview.inOtherRetries += isFrozen ? 1 : 0;
        recovery::Progress progress = held ? held->progress : recovery::Progress{};
        progress.firstFailure = held ? progress.firstFailure : message.firstFailed;
        const recovery::Decision decision = decider.decide(recovery::failureOf(message), progress, context.now);
        if (decision.reason != recovery::Reason::None)
            return;
        const core::TimePoint at = decision.what == recovery::Decision::Do::RetryAt ? decision.at : context.now;
        preview.firstRetry = std::min(preview.firstRetry.value_or(at), at);
    }));
    return preview;
}

} // namespace

void addAssignmentQueries(QueryTable &table)
{
    table.on<api::PreviewAssignment>(
        QueryLane::Searching,
        [](QueryContext &context, const api::PreviewAssignment &query) { return previewAssignment(context, query); });
}

} // namespace store
