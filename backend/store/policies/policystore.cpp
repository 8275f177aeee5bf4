#include "backend/store/policies/policystore.h"

#include "backend/records/retries/retry.h"
#include "backend/recovery/files/policyfile.h"
#include "backend/recovery/files/rulefile.h"
#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/text.h"

namespace store {

using core::ErrorKind;
using core::fail;

PolicyStore::PolicyStore(Database &database)
    : m_database(database)
{
}

// ---- policies ----

static QString policyColumns()
{
    return QStringLiteral("SELECT name, definition, version, paused_at, paused_who, paused_why, retried, came_back,"
                          " resolved FROM policy");
}

static Result<QList<StoredPolicy>> readPolicies(Statement &rows)
{
    QList<StoredPolicy> all;
    while (true) {
        TRY(const bool row, rows.step());
        if (!row)
            return all;
        StoredPolicy stored;
        stored.version = int(rows.integer(2));
        if (const std::optional<core::TimePoint> at = rows.optionalTime(3))
            stored.pause = PolicyPause{rows.text(4), *at, rows.text(5)};
        if (const Result<recovery::Policy> policy = recovery::policyFrom(rows.blob(1))) {
            stored.policy = *policy;
        } else {
            stored.policy.name = rows.text(0);
            stored.policy.immediate = 0;
            stored.policy.delayed = 0;
            stored.pause = PolicyPause{
                QStringLiteral("engine"), {}, Text::tr("The policy cannot be read: %1").arg(policy.error().message)};
        }
        stored.retried = rows.integer(6);
        stored.cameBack = rows.integer(7);
        stored.resolved = rows.integer(8);
        all.append(stored);
    }
}

Result<QList<StoredPolicy>> PolicyStore::policies()
{
    Statement rows = m_database.sql(policyColumns() + QStringLiteral(" ORDER BY name"));
    return readPolicies(rows);
}

Result<StoredPolicy> PolicyStore::policy(const QString &name)
{
    Statement rows = m_database.sql(policyColumns() + QStringLiteral(" WHERE name = ?"));
    rows.bind(name);
    TRY(const QList<StoredPolicy> found, readPolicies(rows));
    if (found.isEmpty())
        return fail(ErrorKind::NotFound, Text::tr("There is no policy %1.").arg(name));
    return found.first();
}

Result<QString> PolicyStore::counterOf(const QString &name)
{
    const Result<StoredPolicy> stored = policy(name);
    if (!stored && stored.error().kind == ErrorKind::NotFound)
        return QString();
    return stored.map([](const StoredPolicy &one) { return one.policy.counter; });
}

Result<QStringList> PolicyStore::counters()
{
    TRY(const QList<StoredPolicy> all, policies());
    QStringList names;
    for (const StoredPolicy &one : all) {
        if (!one.policy.counter.isEmpty())
            names.append(one.policy.counter);
    }
    names.removeDuplicates();
    return names;
}

Result<> PolicyStore::save(const recovery::Policy &policy)
{
    const QByteArray file = recovery::toJson(policy);
    TRY(recovery::policyFrom(file));
    return m_database
        .sql(QStringLiteral("INSERT INTO policy (name, definition, version) VALUES (?, ?, 1) ON CONFLICT (name)"
                            " DO UPDATE SET definition = excluded.definition, version = policy.version + 1"))
        .bind(policy.name, file)
        .run()
        .map([](int) {});
}

Result<> PolicyStore::setPause(const QString &name, const std::optional<PolicyPause> &pause)
{
    const std::optional<core::TimePoint> at = pause ? std::optional(pause->at) : std::nullopt;
    const PolicyPause written = pause.value_or(PolicyPause{});
    return m_database
        .sql(QStringLiteral("UPDATE policy SET paused_at = ?, paused_who = ?, paused_why = ? WHERE name = ?"))
        .bind(at, written.who, written.why, name)
        .run()
        .map([](int) {});
}

Result<> PolicyStore::count(const QString &name, qint64 retried, qint64 cameBack, qint64 resolved)
{
    return m_database
        .sql(QStringLiteral("UPDATE policy SET retried = retried + ?, came_back = came_back + ?,"
                            " resolved = " SQL_GREATEST("0", "resolved + ?") " WHERE name = ?"))
        .bind(retried, cameBack, resolved, name)
        .run()
        .map([](int) {});
}

Result<> PolicyStore::remove(const QString &name)
{
    TRY(m_database.sql(QStringLiteral("DELETE FROM policy_assignment WHERE policy = ?")).bind(name).run());
    TRY(const int gone, m_database.sql(QStringLiteral("DELETE FROM policy WHERE name = ?")).bind(name).run());
    return gone > 0 ? Result<>() : Result<>(fail(ErrorKind::NotFound, Text::tr("There is no policy %1.").arg(name)));
}

// ---- assignments ----

// What identifies the scope: only what its kind uses.
static QVariantList scopeValues(const recovery::Scope &scope)
{
    using Of = recovery::Scope::Of;
    const QByteArray rule = scope.of == Of::Rule ? recovery::toJson(scope.rule, {}) : QByteArray();
    return {int(scope.of), scope.connection.value,
            Statement::toVariant(scope.of == Of::Queue ? scope.queue : QString()),
            scope.of == Of::Group ? scope.group.value : 0, Statement::toVariant(QString::fromUtf8(rule))};
}

Result<QList<StoredAssignment>> PolicyStore::assignments()
{
    Statement rows = m_database.sql(QStringLiteral(
        "SELECT id, policy, kind, connection, queue, group_id, rule, consecutive, last_failure, limit_started,"
        " limit_ended, failures_before, failed_probes, since FROM policy_assignment ORDER BY id"));
    QList<StoredAssignment> all;
    while (true) {
        TRY(const bool row, rows.step());
        if (!row)
            return all;
        StoredAssignment stored;
        stored.assignment.id = {rows.integer(0)};
        stored.assignment.policy = rows.text(1);
        recovery::Scope &scope = stored.assignment.scope;
        scope.of = rows.as<recovery::Scope::Of>(2);
        scope.connection = {rows.integer(3)};
        scope.queue = rows.text(4);
        scope.group = {rows.integer(5)};
        if (scope.of == recovery::Scope::Of::Rule) {
            const Result<recovery::RuleFile> rule = recovery::ruleFrom(rows.text(6).toUtf8());
            if (!rule)
                continue;
            scope.rule = rule->rule;
        }
        stored.limit.consecutive = int(rows.integer(7));
        stored.limit.lastFailure = rows.time(8);
        if (const std::optional<core::TimePoint> started = rows.optionalTime(9))
            stored.limit.span =
                recovery::LimitedSpan{*started, rows.optionalTime(10), int(rows.integer(11)), int(rows.integer(12))};
        stored.assignment.since = rows.integer(13);
        all.append(stored);
    }
}

Result<core::AssignmentId> PolicyStore::assign(const recovery::Assignment &assignment)
{
    const QVariantList values = scopeValues(assignment.scope);
    {
        Statement same =
            m_database.sql(QStringLiteral("SELECT policy, id, since FROM policy_assignment WHERE kind = ?"
                                          " AND connection = ? AND queue = ? AND group_id = ? AND rule = ?"));
        TRY(const bool taken, same.bindAll(values).step());
        if (taken && same.text(0) == assignment.policy && assignment.since == 0 && same.integer(2) > 0) {
            const core::AssignmentId known{same.integer(1)};
            TRY(m_database.sql(QStringLiteral("UPDATE policy_assignment SET since = 0 WHERE id = ?"))
                    .bind(known)
                    .run());
            return known;
        }
        if (taken)
            return fail(
                ErrorKind::Conflict,
                same.text(0) == assignment.policy
                    ? Text::tr("The policy %1 is already assigned to this.").arg(assignment.policy)
                    : Text::tr("The policy %1 is already assigned to this. Unassign it first.").arg(same.text(0)));
    }
    Statement insert =
        m_database.sql(QStringLiteral("INSERT INTO policy_assignment (policy, kind, connection, queue,"
                                      " group_id, rule, since) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id"));
    TRY(insert.bind(assignment.policy).bindAll(values).bind(assignment.since).step());
    return core::AssignmentId{insert.integer(0)};
}

Result<> PolicyStore::unassign(core::AssignmentId id)
{
    return m_database.sql(QStringLiteral("DELETE FROM policy_assignment WHERE id = ?")).bind(id).run().map([](int) {});
}

Result<> PolicyStore::setLimit(core::AssignmentId id, const recovery::LimitState &limit)
{
    using Time = std::optional<core::TimePoint>;
    const recovery::LimitedSpan span = limit.span.value_or(recovery::LimitedSpan{});
    return m_database
        .sql(QStringLiteral("UPDATE policy_assignment SET consecutive = ?, last_failure = ?, limit_started = ?,"
                            " limit_ended = ?, failures_before = ?, failed_probes = ? WHERE id = ?"))
        .bind(limit.consecutive, limit.lastFailure, limit.span ? Time(span.started) : Time(), span.ended,
              span.failuresBefore, span.failedProbes, id)
        .run()
        .map([](int) {});
}

// ---- operations ----

Result<QList<PolicyOperation>> PolicyStore::unsettled()
{
    Statement rows = m_database.sql(QStringLiteral(
        "SELECT id, connection, assignment, policy, delivers_until,"
        " finished IS NOT NULL AND state <> ? AND stop_when = ''"
        " FROM retry_operation " SQL_USING_INDEX("operation_of_policy") " WHERE policy <> '' AND settled = 0"
                                                                        " ORDER BY id"));
    QList<PolicyOperation> found;
    TRY(rows.bind(records::OperationState::Cancelled).each([&] {
        found.append({core::OperationId{rows.integer(0)}, core::ConnectionId{rows.integer(1)},
                      core::AssignmentId{rows.integer(2)}, rows.text(3), rows.optionalTime(4), rows.integer(5) != 0});
    }));
    return found;
}

Result<> PolicyStore::setSettled(core::OperationId operation)
{
    return m_database.sql(QStringLiteral("UPDATE retry_operation SET settled = 1 WHERE id = ?"))
        .bind(operation)
        .run()
        .map([](int) {});
}

Result<int> PolicyStore::dismissSettled(core::TimePoint before)
{
    return m_database
        .sql(QStringLiteral("UPDATE retry_operation " SQL_USING_INDEX(
            "operation_listed") " SET dismissed = 1"
                                " WHERE dismissed = 0 AND policy <> '' AND settled = 1 AND in_doubt = 0 AND finished < "
                                "?"))
        .bind(before)
        .run();
}

} // namespace store
