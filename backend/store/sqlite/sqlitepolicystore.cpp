#include "backend/store/sqlite/sqlitepolicystore.h"

#include "backend/recovery/policyfile.h"
#include "backend/recovery/rulefile.h"
#include "backend/store/sqlite/database.h"
#include "backend/store/sqlite/enumsql.h"
#include "backend/store/sqlite/messagerow.h"
#include "backend/store/sqlite/policysql.h"
#include "backend/store/sqlite/retrysql.h"
#include "backend/store/text.h"

namespace store {

using core::ErrorKind;
using core::fail;
using recovery::HeldState;

SqlitePolicyStore::SqlitePolicyStore(Database &database)
    : m_database(database)
{
}

// ---- policies ----

static QString policyColumns()
{
    return QStringLiteral("SELECT name, definition, version, paused_at, paused_who, paused_why, retried, came_back,"
                          " resolved FROM policy");
}

Result<QList<StoredPolicy>> SqlitePolicyStore::readPolicies(Statement &rows)
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

Result<QList<StoredPolicy>> SqlitePolicyStore::policies()
{
    Statement rows = m_database.sql(policyColumns() + QStringLiteral(" ORDER BY name"));
    return readPolicies(rows);
}

Result<StoredPolicy> SqlitePolicyStore::policy(const QString &name)
{
    Statement rows = m_database.sql(policyColumns() + QStringLiteral(" WHERE name = ?"));
    rows.bind(name);
    TRY(const QList<StoredPolicy> found, readPolicies(rows));
    if (found.isEmpty())
        return fail(ErrorKind::NotFound, Text::tr("There is no policy %1.").arg(name));
    return found.first();
}

Result<> SqlitePolicyStore::save(const recovery::Policy &policy)
{
    const QByteArray file = recovery::toJson(policy);
    TRY(recovery::policyFrom(file));
    return m_database
        .sql(QStringLiteral("INSERT INTO policy (name, definition, version) VALUES (?, ?, 1) ON CONFLICT (name)"
                            " DO UPDATE SET definition = excluded.definition, version = version + 1"))
        .bind(policy.name, file)
        .run()
        .map([](int) {});
}

Result<> SqlitePolicyStore::setPause(const QString &name, const std::optional<PolicyPause> &pause)
{
    const std::optional<core::TimePoint> at = pause ? std::optional(pause->at) : std::nullopt;
    const PolicyPause written = pause.value_or(PolicyPause{});
    return m_database
        .sql(QStringLiteral("UPDATE policy SET paused_at = ?, paused_who = ?, paused_why = ? WHERE name = ?"))
        .bind(at, written.who, written.why, name)
        .run()
        .map([](int) {});
}

Result<> SqlitePolicyStore::count(const QString &name, qint64 retried, qint64 cameBack, qint64 resolved)
{
    return m_database
        .sql(QStringLiteral("UPDATE policy SET retried = retried + ?, came_back = came_back + ?,"
                            " resolved = max(0, resolved + ?) WHERE name = ?"))
        .bind(retried, cameBack, resolved, name)
        .run()
        .map([](int) {});
}

Result<> SqlitePolicyStore::remove(const QString &name)
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

Result<QList<StoredAssignment>> SqlitePolicyStore::assignments()
{
    Statement rows = m_database.sql(QStringLiteral(
        "SELECT id, policy, kind, connection, queue, group_id, rule, consecutive, last_failure, limit_started,"
        " limit_ended, failures_before, failed_probes FROM policy_assignment ORDER BY id"));
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
        all.append(stored);
    }
}

Result<core::AssignmentId> SqlitePolicyStore::assign(const recovery::Assignment &assignment)
{
    const QVariantList values = scopeValues(assignment.scope);
    {
        Statement same =
            m_database.sql(QStringLiteral("SELECT policy FROM policy_assignment WHERE kind = ?"
                                          " AND connection = ? AND queue = ? AND group_id = ? AND rule = ?"));
        TRY(const bool taken, same.bindAll(values).step());
        if (taken)
            return fail(
                ErrorKind::Conflict,
                same.text(0) == assignment.policy
                    ? Text::tr("The policy %1 is already assigned to this.").arg(assignment.policy)
                    : Text::tr("The policy %1 is already assigned to this. Unassign it first.").arg(same.text(0)));
    }
    Statement insert = m_database.sql(QStringLiteral("INSERT INTO policy_assignment (policy, kind, connection, queue,"
                                                     " group_id, rule) VALUES (?, ?, ?, ?, ?, ?) RETURNING id"));
    TRY(insert.bind(assignment.policy).bindAll(values).step());
    return core::AssignmentId{insert.integer(0)};
}

Result<> SqlitePolicyStore::unassign(core::AssignmentId id)
{
    return m_database.sql(QStringLiteral("DELETE FROM policy_assignment WHERE id = ?")).bind(id).run().map([](int) {});
}

Result<> SqlitePolicyStore::setLimit(core::AssignmentId id, const recovery::LimitState &limit)
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

// ---- messages ----

Result<qint64> SqlitePolicyStore::followed()
{
    Statement row = m_database.sql(QStringLiteral("SELECT policies_followed FROM store_meta"));
    TRY(row.step());
    return row.integer(0);
}

Result<> SqlitePolicyStore::setFollowed(qint64 change)
{
    return m_database.sql(QStringLiteral("UPDATE store_meta SET policies_followed = ?"))
        .bind(change)
        .run()
        .map([](int) {});
}

Result<PolicyCandidates> SqlitePolicyStore::changedSince(qint64 change, int limit)
{
    PolicyCandidates found;
    found.until = change;
    QList<core::MessageId> ids;
    int rowsRead = 0;
    {
        Statement rows = m_database.sql(
            QStringLiteral("SELECT m.id, m.change, m.status = ? AND NOT m.flags & ? OR p.message IS NOT NULL"
                           " FROM failed_message m INDEXED BY message_change"
                           " LEFT JOIN policy_message p ON p.message = m.id WHERE m.change > ?"
                           " ORDER BY m.change LIMIT ?"));
        rows.bind(records::MessageStatus::Unresolved, int(records::MessageFlag::BrowsedOnly), change, limit);
        TRY(rows.each([&] {
            ++rowsRead;
            found.until = rows.integer(1);
            if (rows.integer(2) != 0)
                ids.append(core::MessageId{rows.integer(0)});
        }));
    }
    found.more = rowsRead == limit;
    TRY(found.messages, candidates(ids));
    return found;
}

Result<QList<PolicyCandidate>> SqlitePolicyStore::letGo(core::MessageId after, int limit)
{
    QList<core::MessageId> ids;
    {
        Statement rows = m_database.sql(
            QStringLiteral("SELECT p.message FROM policy_message p INDEXED BY policy_message_in_retry"
                           " JOIN failed_message f ON f.id = p.message"
                           " WHERE p.state = %1 AND p.message > ? AND f.status = ? ORDER BY p.message LIMIT ?")
                .arg(numberOf(HeldState::InRetry)));
        rows.bind(after, records::MessageStatus::Unresolved, limit);
        TRY(ids, readIds(rows));
    }
    return candidates(ids);
}

Result<QList<PolicyCandidate>> SqlitePolicyStore::candidates(const QList<core::MessageId> &messages)
{
    return messages.isEmpty() ? QList<PolicyCandidate>() : readCandidates(idList(messages));
}

Result<QList<PolicyCandidate>> SqlitePolicyStore::readCandidates(const QString &ids)
{
    Statement rows = m_database.sql(
        QStringLiteral("SELECT %1, m.group0, m.group1, m.group2, m.group3, m.group4, coalesce(c.operation, 0),"
                       " coalesce(c.attempt, 0), %2 FROM json_each(?) j CROSS JOIN %3"
                       " LEFT JOIN claim c ON c.message = m.id LEFT JOIN policy_message p ON p.message = m.id"
                       " WHERE m.id = j.value ORDER BY j.key")
            .arg(messageColumns(), heldColumns(), messageTables()));
    rows.bind(ids);
    QList<PolicyCandidate> found;
    TRY(rows.each([&] {
        PolicyCandidate one;
        int column = messageColumnCount;
        one.message = readMessage(rows);
        for (core::GroupId &group : one.groups)
            group = {rows.integer(column++)};
        one.operation = {rows.integer(column++)};
        one.retries = int(rows.integer(column++));
        if (!rows.isNull(column))
            one.held = readHeld(rows, column);
        found.append(one);
    }));
    return found;
}

Result<> SqlitePolicyStore::hold(const recovery::HeldMessage &held)
{
    return m_database
        .sql(QStringLiteral("INSERT OR REPLACE INTO policy_message (message, connection, assignment, version, state,"
                            " failed, in_round, delayed, first_failure, last_delayed, attempts, is_delayed, decided_at,"
                            " next_attempt, deliver_at, operation, has_left, reason)"
                            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"))
        .bind(held.message, held.connection, held.assignment, held.version, held.state, held.progress.failed,
              held.progress.inRound, held.progress.delayed, held.progress.firstFailure, held.progress.lastDelayed,
              held.attempts, held.isDelayed, held.decidedAt, held.nextAttempt, held.deliverAt, held.operation,
              held.hasLeft, held.reason)
        .run()
        .map([](int) {});
}

Result<> SqlitePolicyStore::release(core::MessageId message)
{
    return m_database.sql(QStringLiteral("DELETE FROM policy_message WHERE message = ?"))
        .bind(message)
        .run()
        .map([](int) {});
}

Result<bool> SqlitePolicyStore::forgetOrphans(int rows)
{
    Statement gone =
        m_database.sql(QStringLiteral("DELETE FROM policy_message WHERE message IN (SELECT message FROM policy_message"
                                      " WHERE assignment NOT IN (SELECT id FROM policy_assignment) LIMIT ?)"));
    TRY(const int removed, gone.bind(rows).run());
    return removed == rows;
}

// ---- operations ----

Result<QList<PolicyOperation>> SqlitePolicyStore::unsettled()
{
    Statement rows = m_database.sql(
        QStringLiteral("SELECT id, connection, assignment, policy, delivers_until,"
                       " finished IS NOT NULL AND state <> ? AND stop_when = ''"
                       " FROM retry_operation INDEXED BY operation_of_policy WHERE policy <> '' AND settled = 0"
                       " ORDER BY id"));
    QList<PolicyOperation> found;
    TRY(rows.bind(records::OperationState::Cancelled).each([&] {
        found.append({core::OperationId{rows.integer(0)}, core::ConnectionId{rows.integer(1)},
                      core::AssignmentId{rows.integer(2)}, rows.text(3), rows.optionalTime(4), rows.integer(5) != 0});
    }));
    return found;
}

Result<> SqlitePolicyStore::setSettled(core::OperationId operation)
{
    return m_database.sql(QStringLiteral("UPDATE retry_operation SET settled = 1 WHERE id = ?"))
        .bind(operation)
        .run()
        .map([](int) {});
}

Result<int> SqlitePolicyStore::dismissSettled(core::TimePoint before)
{
    return m_database
        .sql(QStringLiteral("UPDATE retry_operation INDEXED BY operation_listed SET dismissed = 1"
                            " WHERE dismissed = 0 AND policy <> '' AND settled = 1 AND in_doubt = 0 AND finished < ?"))
        .bind(before)
        .run();
}

} // namespace store
