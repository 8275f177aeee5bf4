#include "backend/store/retry/retryoperationstore.h"

#include "backend/records/conventions/conventionfile.h"
#include "backend/records/editing/editfile.h"
#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/messages/conventionstore.h"
#include "backend/store/retry/retrysql.h"
#include "backend/store/text.h"

namespace store {

using core::ErrorKind;
using core::fail;
using records::OperationState;

namespace {

const QString operationColumns = QStringLiteral(
    "id, connection, kind, state, hand_over, scope, who, plan_limit, on_unknown, include_looped, reason, total,"
    " requested, started, finished, waiting_reason, per_minute, not_before, ramp, stop_when, stopped_because,"
    " proved_steps, forgiven, sent_before, most_waiting, redirects, paused_by, paused_who, paused_at, rested, policy,"
    " assignment, accept_drops, keep_order, ask_endpoints, broker_share, include_duplicates, ");

} // namespace

RetryOperationStore::RetryOperationStore(Database &database)
    : m_database(database)
{
}

Result<core::OperationId> RetryOperationStore::add(const records::RetryOperation &o)
{
    Statement insert = m_database.sql(QStringLiteral(
        "INSERT INTO retry_operation (connection, kind, state, hand_over, scope, who, plan_limit, on_unknown,"
        " include_looped, reason, requested, started, finished, waiting_reason, per_minute, not_before, ramp,"
        " stop_when, most_waiting, redirects, policy, assignment, accept_drops, keep_order, ask_endpoints,"
        " broker_share, include_duplicates)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"));
    const QString ramp = o.plan.ramp ? records::toString(*o.plan.ramp) : QString();
    const QString stop = o.plan.stopWhen ? records::toString(*o.plan.stopWhen) : QString();
    TRY(insert
            .bind(o.connection, o.kind, o.state, o.handOver, o.scope, o.who, o.plan.limit, o.plan.onUnknown,
                  o.plan.includeLooped, o.plan.reason, o.requested, o.started, o.finished, o.waitingReason,
                  o.plan.perMinute, o.plan.notBefore, ramp, stop, o.plan.mostWaiting, redirectsToCbor(o.plan.redirects),
                  o.policy, o.assignment, o.plan.acceptDrops, o.plan.keepOrder, o.plan.askEndpoints, o.plan.brokerShare,
                  o.plan.includeDuplicates)
            .step());
    const core::OperationId id{insert.integer(0)};
    for (const records::Convention &convention : o.conventions)
        TRY(m_database.execute(
            QStringLiteral("INSERT INTO operation_convention (operation, name, definition) VALUES (?, ?, ?)"),
            {id.value, convention.name, records::toJson(convention)}));
    if (o.plan.edit.isEmpty())
        return id;
    // Stored apart, because it may be large and the row changes with every outcome.
    TRY(m_database.execute(QStringLiteral("INSERT INTO operation_edit (operation, edit) VALUES (?, ?)"),
                           {id.value, records::toJson(o.plan.edit)}));
    return id;
}

Result<QList<records::RetryOperation>> RetryOperationStore::read(Statement &rows)
{
    QList<records::RetryOperation> found;
    TRY(rows.each([&] {
        records::RetryOperation o;
        o.id = {rows.integer(0)};
        o.connection = {rows.integer(1)};
        o.kind = rows.as<records::OperationKind>(2);
        o.state = rows.as<OperationState>(3);
        o.handOver = rows.as<records::HandOver>(4);
        o.scope = rows.text(5);
        o.who = rows.text(6);
        o.plan.limit = rows.optionalInteger(7);
        o.plan.onUnknown = rows.as<records::OnUnknown>(8);
        o.plan.includeLooped = rows.integer(9) != 0;
        o.plan.reason = rows.text(10);
        o.total = rows.integer(11);
        o.requested = rows.time(12);
        o.started = rows.optionalTime(13);
        o.finished = rows.optionalTime(14);
        o.waitingReason = rows.text(15);
        o.plan.perMinute = rows.optionalInteger(16);
        o.plan.notBefore = rows.optionalTime(17);
        o.plan.ramp = records::rampFrom(rows.text(18));
        o.plan.stopWhen = records::stopWhenFrom(rows.text(19));
        o.stoppedBecause = rows.text(20);
        o.provedSteps = int(rows.integer(21));
        o.forgiven = rows.integer(22);
        o.sentBefore = rows.integer(23);
        o.plan.mostWaiting = rows.optionalInteger(24);
        o.plan.redirects = redirectsFromCbor(rows.blob(25));
        o.pausedBy = rows.as<records::PausedBy>(26);
        o.pausedWho = rows.text(27);
        o.pausedAt = rows.optionalTime(28);
        o.rested = core::Milliseconds{rows.integer(29)};
        o.policy = rows.text(30);
        o.assignment = {rows.integer(31)};
        o.plan.acceptDrops = rows.integer(32) != 0;
        o.plan.keepOrder = rows.integer(33) != 0;
        o.plan.askEndpoints = rows.integer(34) != 0;
        o.plan.brokerShare = rows.optionalInteger(35);
        o.plan.includeDuplicates = rows.integer(36) != 0;
        o.counts = countsFrom(rows, 37);
        found.append(o);
    }));
    return found;
}

Result<records::RetryOperation> RetryOperationStore::load(core::OperationId id)
{
    Statement rows = m_database.sql(QStringLiteral("SELECT ") + operationColumns + countColumns()
                                    + QStringLiteral(" FROM retry_operation WHERE id = ?"));
    rows.bind(id);
    TRY(const QList<records::RetryOperation> found, read(rows));
    if (found.isEmpty())
        return fail(ErrorKind::NotFound, QStringLiteral("There is no operation %1.").arg(id.value));
    records::RetryOperation one = found.first();
    TRY(one.plan.edit, editOf(id));
    Statement conventions = m_database.sql(
        QStringLiteral("SELECT name, definition FROM operation_convention WHERE operation = ? ORDER BY name"));
    TRY(one.conventions, conventionsFrom(conventions.bind(id)));
    return one;
}

// Read only for a single operation: lists have its sentence. An edit that cannot be read is an error: it must not count
// as no edit.
Result<records::Edit> RetryOperationStore::editOf(core::OperationId id)
{
    Statement row = m_database.sql(QStringLiteral("SELECT edit FROM operation_edit WHERE operation = ?"));
    TRY(const bool there, row.bind(id).step());
    if (!there)
        return records::Edit{};
    const Result<records::Edit> edit = records::editFrom(row.blob(0));
    return edit ? edit
                : Result<records::Edit>(fail(
                    ErrorKind::Corrupt, QStringLiteral("The stored edit of operation %1 cannot be read.").arg(id.value),
                    edit.error().message));
}

Result<QList<records::RetryOperation>> RetryOperationStore::listed(core::ConnectionId connection, int limit)
{
    Statement rows = m_database.sql(
        QStringLiteral("SELECT ") + operationColumns + countColumns()
        + QStringLiteral(" FROM retry_operation " SQL_USING_INDEX(
            "operation_listed") " WHERE dismissed = 0 AND (connection = ? OR ? = 0) ORDER BY id DESC LIMIT ?"));
    rows.bind(connection, connection, limit);
    return read(rows);
}

Result<QList<records::RetryOperation>> RetryOperationStore::unfinished(core::ConnectionId connection)
{
    Statement rows =
        m_database.sql(QStringLiteral("SELECT ") + operationColumns + countColumns()
                       + QStringLiteral(" FROM retry_operation " SQL_USING_INDEX(
                           "operation_open") " WHERE finished IS NULL AND (connection = ? OR ? = 0) ORDER BY id"));
    rows.bind(connection, connection);
    return read(rows);
}

Result<> RetryOperationStore::update(const records::RetryOperation &o)
{
    Statement update = m_database.sql(QStringLiteral("UPDATE retry_operation SET state = ?, hand_over = ?, started = ?,"
                                                     " finished = ?, waiting_reason = ?, stopped_because = ?,"
                                                     " forgiven = ?, sent_before = ?, paused_by = ?, paused_who = ?,"
                                                     " paused_at = ?, rested = ? WHERE id = ?"));
    TRY(update
            .bind(o.state, o.handOver, o.started, o.finished, o.waitingReason, o.stoppedBecause, o.forgiven,
                  o.sentBefore, o.pausedBy, o.pausedWho, o.pausedAt, qint64(o.rested.count()), o.id)
            .run());
    return {};
}

Result<> RetryOperationStore::setPerMinute(core::OperationId id, std::optional<qint64> perMinute)
{
    TRY(const records::RetryOperation of, load(id));
    if (of.finished || of.state == OperationState::Cancelled)
        return fail(ErrorKind::Conflict, Text::tr("Operation %1 has ended.").arg(id.value));
    Statement update = m_database.sql(QStringLiteral("UPDATE retry_operation SET per_minute = ? WHERE id = ?"));
    TRY(update.bind(perMinute, id).run());
    return {};
}

Result<> RetryOperationStore::setAllPaused(bool paused)
{
    TRY(m_database.execute(QStringLiteral("UPDATE store_meta SET all_paused = ?"), {paused ? 1 : 0}));
    return {};
}

Result<bool> RetryOperationStore::allPaused()
{
    Statement row = m_database.sql(QStringLiteral("SELECT all_paused FROM store_meta"));
    TRY(const bool found, row.step());
    return found && row.integer(0) != 0;
}

Result<> RetryOperationStore::dismiss(core::OperationId id, Hidden where)
{
    TRY(const records::RetryOperation ended, load(id));
    if (!ended.finished)
        return fail(ErrorKind::Conflict, QStringLiteral("Operation %1 has not ended.").arg(id.value));
    TRY(m_database.execute(QStringLiteral("UPDATE retry_operation SET dismissed = ? WHERE id = ?"),
                           {int(where), id.value}));
    return {};
}

Result<qint64> RetryOperationStore::inDoubtTotal()
{
    Statement row =
        m_database.sql(QStringLiteral("SELECT coalesce(sum(in_doubt), 0) FROM retry_operation " SQL_USING_INDEX(
            "operation_in_doubt") " WHERE in_doubt > 0"));
    TRY(row.step());
    return row.integer(0);
}

} // namespace store
