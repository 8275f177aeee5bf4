#include "backend/store/sqlite/sqliteretrystore.h"

#include "backend/core/limits.h"
#include "backend/records/message.h"
#include "backend/store/sqlite/database.h"
#include "backend/store/sqlite/retrysql.h"

#include <QCoreApplication>

#include <array>
#include <limits>

namespace store {

using core::ErrorKind;
using core::fail;
using records::OperationState;

namespace {

const QString operationColumns = QStringLiteral(
    "id, connection, kind, state, hand_over, scope, who, plan_limit, on_unknown, include_looped, reason, total,"
    " requested, started, finished, waiting_reason, per_minute, not_before, ramp, stop_when, stopped_because,"
    " proved_steps, forgiven, sent_before, most_waiting, ");

// Where the copy of a message `f` goes. Value: release.
const QString target = QStringLiteral("CASE WHEN ? THEN f.queue ELSE d.queue END");

// Another operation has claimed the message `f`, or has it in its set and goes on. One that is still being frozen holds
// nothing yet. Values: freezing, cancelled.
const QString held =
    QStringLiteral("(EXISTS (SELECT 1 FROM claim c WHERE c.message = f.id AND c.live = 1)"
                   " OR EXISTS (SELECT 1 FROM retry_member x JOIN retry_operation o ON o.id = x.operation"
                   " WHERE x.message = f.id AND x.outcome = 0 AND o.state NOT IN (?, ?)))");

// Why a message is left out of a set, or 0. Values: as of, as of, looked at, possible duplicate, those of held, not faithful,
// looped, include looped, other tool, release, release, release, whether the queues are known, their names.
QString verdict(const FreezeRules &rules)
{
    const QString listed = rules.namesIgnoreCase ? target + QStringLiteral(" COLLATE NOCASE") : target;
    return QStringLiteral("CASE WHEN f.created > ? THEN 1"
                          " WHEN f.change > ? OR f.status <> 0 THEN 2"
                          " WHEN f.flags & ? THEN 9"
                          " WHEN f.flags & ? THEN 3"
                          " WHEN %3 THEN 7"
                          " WHEN f.flags & ? THEN 8"
                          " WHEN f.came_back >= ? AND NOT ? THEN 4"
                          " WHEN f.flags & ? AND NOT ? THEN 5"
                          " WHEN %1 = '' THEN 5"
                          " WHEN (%2) NOT IN (SELECT value FROM json_each(?)) AND ? THEN 10"
                          " ELSE 0 END")
        .arg(target, listed, held);
}

QVariantList verdictValues(const FreezeRules &rules)
{
    const int release = rules.kind == records::OperationKind::Release ? 1 : 0;
    return {rules.asOfChange,
            rules.asOfChange,
            int(records::MessageFlag::LookedAt),
            int(records::MessageFlag::PossibleDuplicate),
            int(OperationState::Freezing),
            int(OperationState::Cancelled),
            int(records::MessageFlag::NotFaithful),
            core::limits::loopGuardCameBack,
            rules.includeLooped ? 1 : 0,
            int(records::MessageFlag::OtherTool),
            release,
            release,
            release,
            jsonList(rules.existing.value_or(QStringList{})),
            rules.existing ? 1 : 0};
}

// Within one slice of the set: the first of every group and destination, then the second of each, and so on. Slices are
// small beside a set that needs a ramp, so a step is a mixture in time, too.
const QString inTurn = QStringLiteral("row_number() OVER (PARTITION BY d.queue, f.group0 ORDER BY j.key)");

QString idList(const QList<core::MessageId> &messages)
{
    QList<qint64> ids;
    ids.reserve(messages.size());
    for (const core::MessageId id : messages)
        ids.append(id.value);
    return jsonList(ids);
}

// Of a row of weigh(): what is frozen, or left out for want of a destination.
FreezeHazards hazardsOf(Statement &rows, qint64 FreezeTally::*part)
{
    FreezeHazards hazards;
    if (part == &FreezeTally::frozen) {
        hazards.fanOut = rows.integer(7);
        hazards.derived = rows.integer(8);
        hazards.damaged = rows.integer(9);
    } else if (part == &FreezeTally::noDestination) {
        hazards.otherTool = rows.integer(10);
    }
    return hazards;
}

} // namespace

std::unique_ptr<RetryStore> makeRetryStore(Database &database, MessageStore &messages)
{
    return std::make_unique<SqliteRetryStore>(database, messages);
}

SqliteRetryStore::SqliteRetryStore(Database &database, MessageStore &messages)
    : m_database(database)
    , m_messages(messages)
{
}

Result<int> SqliteRetryStore::execute(const QString &sql, const QVariantList &values)
{
    return m_database.sql(sql).bindAll(values).run();
}

Result<core::OperationId> SqliteRetryStore::addOperation(const records::RetryOperation &o)
{
    Statement insert = m_database.sql(QStringLiteral(
        "INSERT INTO retry_operation (connection, kind, state, hand_over, scope, who, plan_limit, on_unknown,"
        " include_looped, reason, requested, started, finished, waiting_reason, per_minute, not_before, ramp, "
        "stop_when,"
        " most_waiting) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"));
    const QString ramp = o.plan.ramp ? records::toString(*o.plan.ramp) : QString();
    const QString stop = o.plan.stopWhen ? records::toString(*o.plan.stopWhen) : QString();
    const Result<bool> row =
        insert
            .bind(o.connection, o.kind, o.state, o.handOver, o.scope, o.who, o.plan.limit, o.plan.onUnknown,
                  o.plan.includeLooped, o.plan.reason, o.requested, o.started, o.finished, o.waitingReason,
                  o.plan.perMinute, o.plan.notBefore, ramp, stop, o.plan.mostWaiting)
            .step();
    if (!row)
        return fail(row.error());
    return core::OperationId{insert.integer(0)};
}

Result<FreezeTally> SqliteRetryStore::weigh(const QList<core::MessageId> &messages, const FreezeRules &rules,
                                            qint64 already)
{
    constexpr qint64 unlimited = std::numeric_limits<qint64>::max();
    const qint64 room = rules.limit ? std::max<qint64>(0, *rules.limit - already) : unlimited;
    // Numbered within their verdict only where a limit asks for it.
    const QString number =
        rules.limit ? QStringLiteral("row_number() OVER (PARTITION BY v ORDER BY at)") : QStringLiteral("0");
    Statement rows = m_database.sql(
        QStringLiteral(
            "SELECT CASE WHEN v = 0 AND n > ? THEN 6 ELSE v END AS w, CASE WHEN v IN (0, 10) THEN queue ELSE '' END"
            " AS q, min(certainty), known_from, count(*), min(first), max(last),"
            " sum(certainty = ?), sum(certainty = ?), sum(flags & ? <> 0), sum(flags & ? <> 0), sum(straight) FROM"
            " (SELECT *, %1 AS n FROM"
            " (SELECT j.key AS at, %2 AS v, %3 AS queue, d.certainty AS certainty, d.known_from AS known_from,"
            " d.queue = f.queue%4 AS straight, f.flags AS flags, f.first_failed AS first, f.last_failed AS last FROM "
            "json_each(?) j"
            " JOIN failed_message f ON f.id = j.value JOIN destination d ON d.id = f.destination))"
            " GROUP BY w, q ORDER BY w, count(*) DESC, q")
            .arg(number, verdict(rules), target,
                 rules.namesIgnoreCase ? QStringLiteral(" COLLATE NOCASE") : QString()));
    const int release = rules.kind == records::OperationKind::Release ? 1 : 0;
    rows.bind(room, records::Certainty::FanOut, records::Certainty::Derived, int(records::MessageFlag::Damaged),
              int(records::MessageFlag::OtherTool));
    rows.bindAll(verdictValues(rules)).bind(release, idList(messages));
    FreezeTally tally;
    const std::array parts{&FreezeTally::frozen,      &FreezeTally::arrived,
                           &FreezeTally::changed,     &FreezeTally::possibleDuplicates,
                           &FreezeTally::looped,      &FreezeTally::noDestination,
                           &FreezeTally::beyondLimit, &FreezeTally::heldElsewhere,
                           &FreezeTally::notFaithful, &FreezeTally::lookedAt,
                           &FreezeTally::noSuchQueue};
    const Result<> read = rows.each([&] {
        const auto part = size_t(rows.integer(0));
        tally.*parts.at(part) += rows.integer(4);
        if (release == 0) // which goes back to where it lay, as it lay
            tally.hazards += hazardsOf(rows, parts.at(part));
        const bool isMissing = parts.at(part) == &FreezeTally::noSuchQueue;
        if (part != 0 && !isMissing)
            return;
        FreezeShare share;
        share.destination = {rows.text(1), rows.as<records::Certainty>(2), rows.text(3)};
        if (release != 0)
            share.destination = {rows.text(1), records::Certainty::Exact, {}};
        share.count = rows.integer(4);
        share.firstFailed = rows.time(5);
        share.lastFailed = rows.time(6);
        share.straightBack = release != 0 ? 0 : rows.integer(11);
        (isMissing ? tally.missing : tally.shares).append(share);
    });
    if (!read)
        return fail(read.error());
    return tally;
}

Result<FreezeTally> SqliteRetryStore::freeze(core::OperationId id, const QList<core::MessageId> &messages,
                                             const FreezeRules &rules)
{
    const Result<records::RetryOperation> into = operation(id);
    if (!into)
        return fail(into.error());
    if (into->state != OperationState::Freezing)
        return fail(ErrorKind::Conflict, QStringLiteral("The set of operation %1 is frozen already.").arg(id.value));
    const Result<FreezeTally> tally = weigh(messages, rules, into->total);
    if (!tally || tally->frozen == 0)
        return tally;
    const Result<int> inserted = execute(
        QStringLiteral("INSERT INTO retry_member (operation, ordinal, message, destination, cause, turn)"
                       " SELECT ?, ? + row_number() OVER (ORDER BY j.key), f.id,"
                       " CASE WHEN ? THEN f.queue ELSE d.queue END, coalesce(f.group0, 0), %2"
                       " FROM json_each(?) j JOIN failed_message f ON f.id = j.value"
                       " JOIN destination d ON d.id = f.destination WHERE %1 = 0 ORDER BY j.key LIMIT ?")
            .arg(verdict(rules), into->plan.ramp ? inTurn : QStringLiteral("0")),
        QVariantList{id.value, into->total, rules.kind == records::OperationKind::Release ? 1 : 0, idList(messages)}
            + verdictValues(rules) + QVariantList{tally->frozen});
    if (!inserted)
        return fail(inserted.error());
    const Result<> noted = into->plan.isGuarded() ? noteSources(id, into->total) : Result<>{};
    if (!noted)
        return fail(noted.error());
    const Result<int> counted =
        execute(QStringLiteral("UPDATE retry_operation SET total = total + ?, pending = pending + ? WHERE id = ?"),
                {tally->frozen, tally->frozen, id.value});
    if (!counted)
        return fail(counted.error());
    return tally;
}

Result<bool> SqliteRetryStore::discardFreezing(core::OperationId id, int rows)
{
    const Result<records::RetryOperation> half = operation(id);
    if (!half)
        return fail(half.error());
    if (half->state != OperationState::Freezing)
        return fail(ErrorKind::Conflict, QStringLiteral("The set of operation %1 is frozen already.").arg(id.value));
    const Result<int> removed = execute(QStringLiteral("DELETE FROM retry_member WHERE operation = ? AND ordinal > ?"),
                                        {id.value, std::max<qint64>(0, half->total - rows)});
    if (!removed)
        return fail(removed.error());
    const bool last = half->total <= rows;
    const Result<int> forgotten =
        last ? execute(QStringLiteral("DELETE FROM operation_source WHERE operation = ?"), {id.value}) : Result<int>{0};
    if (!forgotten)
        return fail(forgotten.error());
    const Result<int> done =
        last ? execute(QStringLiteral("DELETE FROM retry_operation WHERE id = ?"), {id.value})
             : execute(
                 QStringLiteral("UPDATE retry_operation SET total = total - ?, pending = pending - ? WHERE id = ?"),
                 {rows, rows, id.value});
    if (!done)
        return fail(done.error());
    return last;
}

Result<QList<records::RetryOperation>> SqliteRetryStore::readOperations(Statement &rows)
{
    QList<records::RetryOperation> found;
    const Result<> read = rows.each([&] {
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
        o.counts = countsFrom(rows, 25);
        found.append(o);
    });
    if (!read)
        return fail(read.error());
    return found;
}

Result<records::RetryOperation> SqliteRetryStore::operation(core::OperationId id)
{
    Statement rows = m_database.sql(QStringLiteral("SELECT ") + operationColumns + countColumns()
                                    + QStringLiteral(" FROM retry_operation WHERE id = ?"));
    rows.bind(id);
    const Result<QList<records::RetryOperation>> found = readOperations(rows);
    if (!found)
        return fail(found.error());
    if (found->isEmpty())
        return fail(ErrorKind::NotFound, QStringLiteral("There is no operation %1.").arg(id.value));
    return found->first();
}

Result<QList<records::RetryOperation>> SqliteRetryStore::operations(core::ConnectionId connection, int limit)
{
    Statement rows = m_database.sql(QStringLiteral("SELECT ") + operationColumns + countColumns()
                                    + QStringLiteral(" FROM retry_operation WHERE dismissed = 0"
                                                     " AND (connection = ? OR ? = 0) ORDER BY id DESC LIMIT ?"));
    rows.bind(connection, connection, limit);
    return readOperations(rows);
}

Result<QList<records::RetryOperation>> SqliteRetryStore::unfinished(core::ConnectionId connection)
{
    Statement rows = m_database.sql(QStringLiteral("SELECT ") + operationColumns + countColumns()
                                    + QStringLiteral(" FROM retry_operation WHERE finished IS NULL"
                                                     " AND (connection = ? OR ? = 0) ORDER BY id"));
    rows.bind(connection, connection);
    return readOperations(rows);
}

Result<> SqliteRetryStore::updateOperation(const records::RetryOperation &o)
{
    Statement update = m_database.sql(QStringLiteral("UPDATE retry_operation SET state = ?, hand_over = ?, started = ?,"
                                                     " finished = ?, waiting_reason = ?, stopped_because = ?,"
                                                     " forgiven = ?, sent_before = ? WHERE id = ?"));
    const Result<int> done = update
                                 .bind(o.state, o.handOver, o.started, o.finished, o.waitingReason, o.stoppedBecause,
                                       o.forgiven, o.sentBefore, o.id)
                                 .run();
    if (!done)
        return fail(done.error());
    return {};
}

Result<> SqliteRetryStore::setPerMinute(core::OperationId id, std::optional<qint64> perMinute)
{
    const Result<records::RetryOperation> of = operation(id);
    if (!of)
        return fail(of.error());
    if (of->finished || of->state == OperationState::Cancelled)
        return fail(ErrorKind::Conflict, QCoreApplication::translate("store", "Operation %1 has ended.").arg(id.value));
    Statement update = m_database.sql(QStringLiteral("UPDATE retry_operation SET per_minute = ? WHERE id = ?"));
    const Result<int> done = update.bind(perMinute, id).run();
    if (!done)
        return fail(done.error());
    return {};
}

Result<> SqliteRetryStore::setAllPaused(bool paused)
{
    const Result<int> done = execute(QStringLiteral("UPDATE store_meta SET all_paused = ?"), {paused ? 1 : 0});
    if (!done)
        return fail(done.error());
    return {};
}

Result<bool> SqliteRetryStore::allPaused()
{
    Statement row = m_database.sql(QStringLiteral("SELECT all_paused FROM store_meta"));
    const Result<bool> found = row.step();
    if (!found)
        return fail(found.error());
    return *found && row.integer(0) != 0;
}

Result<> SqliteRetryStore::dismiss(core::OperationId id)
{
    const Result<records::RetryOperation> ended = operation(id);
    if (!ended)
        return fail(ended.error());
    if (!ended->finished)
        return fail(ErrorKind::Conflict, QStringLiteral("Operation %1 has not ended.").arg(id.value));
    const Result<int> done =
        execute(QStringLiteral("UPDATE retry_operation SET dismissed = 1 WHERE id = ?"), {id.value});
    if (!done)
        return fail(done.error());
    return {};
}

} // namespace store
