#include "backend/store/retry/evidencestore.h"

#include "backend/store/database/database.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/retry/retryledger.h"
#include "backend/store/retry/retrysql.h"

#include <QSet>

namespace store {

using core::Milliseconds;
using core::TimePoint;

namespace {

// When all copies of a batch `b` of the operation `o` were at their destinations: the broker may have held some back.
const QString arrivedBy = QStringLiteral(SQL_GREATEST("b.sent_until", "coalesce(o.delivers_until, 0)"));

} // namespace

EvidenceStore::EvidenceStore(Database &database, RetryLedger &ledger)
    : m_database(database)
    , m_ledger(ledger)
{
}

Result<> EvidenceStore::addFailingTimes(const QList<core::MessageId> &messages, records::FailureLatency &times)
{
    Statement rows =
        m_database.sql(QStringLiteral("SELECT coalesce(f.group0, 0), f.took, count(*) FROM " SQL_LIST " j"
                                      " " SQL_JOIN_IN_ORDER " failed_message f ON f.id = j.value GROUP BY 1, 2"));
    return rows.bind(listOf(messages)).each([&] { times.add(rows.integer(0), rows.optionalSpan(1), rows.integer(2)); });
}

Result<> EvidenceStore::setQuietPeriod(core::OperationId operation, const records::QuietPeriod &quietPeriod,
                                       Milliseconds watchBack)
{
    TRY(m_database.execute(
        QStringLiteral("UPDATE retry_operation SET quiet = ?, takes_to_fail = ?, watch_back = ? WHERE id = ?"),
        {qint64(quietPeriod.quiet.count()), Statement::toVariant(quietPeriod.takesToFail), qint64(watchBack.count()),
         operation.value}));
    return {};
}

Result<records::QuietPeriod> EvidenceStore::quietPeriod(core::OperationId operation)
{
    Statement row = m_database.sql(QStringLiteral("SELECT quiet, takes_to_fail FROM retry_operation WHERE id = ?"));
    TRY(const bool found, row.bind(operation).step());
    if (!found)
        return records::QuietPeriod{std::nullopt, records::FailureLatency::unknown};
    return records::QuietPeriod{row.optionalSpan(1), Milliseconds{row.integer(0)}};
}

Result<Returns> EvidenceStore::returnsWhere(const QString &where, const QVariantList &values)
{
    Statement rows =
        m_database.sql(QStringLiteral("SELECT DISTINCT s.queue, s.aim = 1 FROM retry_operation o"
                                      " JOIN operation_source s ON s.operation = o.id WHERE %1 ORDER BY s.queue")
                           .arg(where));
    Returns found;
    TRY(rows.bindAll(values).each([&] { (rows.integer(1) != 0 ? found.aims : found.sources).append(rows.text(0)); }));
    return found;
}

Result<Returns> EvidenceStore::stillWatched(core::ConnectionId connection, TimePoint now)
{
    return returnsWhere(QStringLiteral("o.connection = ? AND o.watch_back > 0 AND o.finished + o.watch_back > ?"
                                       " AND (s.aim = 2 OR NOT ")
                            + waitsOnlyForAnswers() + QStringLiteral(")"),
                        {connection.value, core::toMs(now)});
}

Result<Returns> EvidenceStore::whereBack(core::OperationId operation)
{
    return returnsWhere(QStringLiteral("o.id = ?"), {operation.value});
}

// A crash may split the sending of a batch into several parts: the first one counts.
Result<> EvidenceStore::sendingFrom(core::BatchId batch, TimePoint at)
{
    return m_ledger.sendingFrom(batch, at);
}

Result<> EvidenceStore::sentUntil(core::BatchId batch, TimePoint at)
{
    return m_ledger.sentUntil(batch, at);
}

Result<std::optional<TimePoint>> EvidenceStore::sentFrom(const QString &uniqueId, core::OperationId operation,
                                                         int attempt)
{
    Statement row = m_database.sql(QStringLiteral("SELECT " SQL_GREATEST(
        "b.sent_from",
        "coalesce(m.deliver_at, 0)") " FROM failed_message f " SQL_JOIN_IN_ORDER
                                     " retry_member m ON m.message = f.id AND m.operation = ?"
                                     " JOIN retry_batch b ON b.id = m.batch WHERE f.unique_id = ? AND m.attempt = ?"));
    TRY(const bool found, row.bind(operation, uniqueId, attempt).step());
    return found ? row.optionalTime(0) : std::nullopt;
}

Result<bool> EvidenceStore::hasAsked(const QString &uniqueId)
{
    Statement row = m_database.sql(
        QStringLiteral("SELECT 1 FROM failed_message f " SQL_JOIN_IN_ORDER " retry_member m ON m.message = f.id"
                       " JOIN retry_operation o ON o.id = m.operation"
                       " WHERE f.unique_id = ? AND o.ask_endpoints <> 0 AND m.outcome IN %1 LIMIT 1")
            .arg(sqlSet<records::Outcome>(records::mayHaveArrived)));
    return row.bind(uniqueId).step();
}

Result<> EvidenceStore::mark(core::OperationId operation, TimePoint at, records::RunMark::Kind kind, int step)
{
    TRY(m_database.execute(
        QStringLiteral(
            "INSERT INTO operation_mark (operation, at, kind, step) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"),
        {operation.value, core::toMs(at), int(kind), step}));
    return {};
}

Result<int> EvidenceStore::markedStep(core::OperationId operation)
{
    Statement row =
        m_database.sql(QStringLiteral("SELECT coalesce(max(step), 0) FROM operation_mark WHERE operation = ?"));
    TRY(const bool found, row.bind(operation).step());
    return found ? int(row.integer(0)) : 0;
}

Result<> EvidenceStore::watched(core::ConnectionId connection, const QStringList &queues, TimePoint since,
                                TimePoint until)
{
    TRY(m_database.execute(
        QStringLiteral("INSERT INTO watched_queue (connection, queue, since, until)"
                       " SELECT ?, l.value, ?, ? FROM " SQL_TEXTS " l WHERE TRUE"
                       " ON CONFLICT (connection, queue, since) DO UPDATE SET until = excluded.until"),
        {connection.value, core::toMs(since), core::toMs(until), listOf(queues)}));
    return {};
}

Result<Milliseconds> EvidenceStore::watchedFor(core::ConnectionId connection, const QString &queue, TimePoint since)
{
    Statement row = m_database.sql(QStringLiteral(
        "SELECT coalesce(sum(until - " SQL_GREATEST("since", "?") "), 0) FROM watched_queue"
                                                                  " WHERE connection = ? AND queue = ? AND until > ?"));
    TRY(const bool found, row.bind(since, connection, queue, since).step());
    return Milliseconds{found ? row.integer(0) : 0};
}

Result<> EvidenceStore::forgetWatched(core::ConnectionId connection, TimePoint before)
{
    TRY(m_database.execute(QStringLiteral("DELETE FROM watched_queue WHERE connection = ? AND until < ?"),
                           {connection.value, core::toMs(before)}));
    return {};
}

Result<QList<records::QuietRule>> EvidenceStore::quietRules()
{
    Statement rows = m_database.sql(
        QStringLiteral("SELECT c.id, CASE WHEN q.connection IS NULL THEN ? ELSE q.after END FROM connection c"
                       " LEFT JOIN quiet_rule q ON q.connection = c.id ORDER BY c.id"));
    QList<records::QuietRule> rules;
    TRY(rows.bind(qint64(records::defaultQuiet.count())).each([&] {
        rules.append({core::ConnectionId{rows.integer(0)}, rows.optionalSpan(1)});
    }));
    return rules;
}

Result<std::optional<Milliseconds>> EvidenceStore::quietAfter(core::ConnectionId connection)
{
    TRY(const QList<records::QuietRule> rules, quietRules());
    for (const records::QuietRule &rule : rules) {
        if (rule.connection == connection)
            return rule.after;
    }
    return std::optional<Milliseconds>{};
}

Result<> EvidenceStore::setQuietRule(const records::QuietRule &rule)
{
    TRY(m_database.execute(QStringLiteral("INSERT INTO quiet_rule (connection, after) VALUES (?, ?)"
                                          " ON CONFLICT (connection) DO UPDATE SET after = excluded.after"),
                           {rule.connection.value, Statement::toVariant(rule.after)}));
    return {};
}

Result<QList<QuietBatch>> EvidenceStore::batchesToSettle(core::ConnectionId connection, TimePoint sentUntil,
                                                         core::BatchId after, int limit)
{
    Statement rows = m_database.sql(
        QStringLiteral(
            "SELECT b.id, b.operation, %1 FROM retry_batch b " SQL_USING_INDEX(
                "batch_unsettled") " " SQL_JOIN_IN_ORDER " retry_operation o ON o.id = b.operation WHERE b.settled = 0"
                                   " AND b.sent_until IS NOT NULL AND b.connection = ? AND b.id > ? AND %1 <= ?"
                                   " ORDER BY b.id LIMIT ?")
            .arg(arrivedBy));
    QList<QuietBatch> batches;
    TRY(rows.bind(connection, after, sentUntil, limit).each([&] {
        batches.append({core::BatchId{rows.integer(0)}, core::OperationId{rows.integer(1)}, rows.time(2)});
    }));
    return batches;
}

Result<std::optional<TimePoint>> EvidenceStore::oldestUnsettled(core::ConnectionId connection)
{
    Statement row = m_database.sql(
        QStringLiteral("SELECT min(%1) FROM retry_batch b " SQL_USING_INDEX(
                           "batch_unsettled") " " SQL_JOIN_IN_ORDER
                                              " retry_operation o ON o.id = b.operation WHERE b.settled = 0"
                                              " AND b.sent_until IS NOT NULL AND b.connection = ?")
            .arg(arrivedBy));
    TRY(const bool found, row.bind(connection).step());
    return found ? row.optionalTime(0) : std::nullopt;
}

Result<int> EvidenceStore::resolveQuiet(core::BatchId batch, const QStringList &without, TimePoint now,
                                        Milliseconds quietFor)
{
    TRY(QList<LedgerEntry> members, m_ledger.ofBatch(batch));
    members.removeIf(
        [](const LedgerEntry &member) { return !records::transitionOf(member.fate, records::MemberEvent::Quiet); });
    QSet<qint64> waiting;
    {
        Statement rows = m_database.sql(QStringLiteral("SELECT ordinal FROM retry_member WHERE batch = ? AND batch > 0"
                                                       " AND destination IN " SQL_TEXT_VALUES));
        TRY(rows.bind(batch, listOf(without)).each([&] { waiting.insert(rows.integer(0)); }));
    }
    const qsizetype quiet = members.size();
    members.removeIf([&](const LedgerEntry &member) { return waiting.contains(member.ordinal); });
    if (members.size() == quiet)
        TRY(m_ledger.setSettled(batch, true));
    return m_ledger.record(members, {.event = records::MemberEvent::Quiet, .at = now, .quietFor = quietFor});
}

} // namespace store
