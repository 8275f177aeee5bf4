// Guarded retries: what the retry store keeps for ramps and stop rules.
#include "backend/store/sqlite/database.h"
#include "backend/store/sqlite/enumsql.h"
#include "backend/store/sqlite/retrysql.h"
#include "backend/store/sqlite/sqliteretrystore.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace store {

using records::OperationState;

namespace {

QMap<QString, qint64> depthsFrom(const QString &json)
{
    QMap<QString, qint64> depths;
    const QJsonObject object = QJsonDocument::fromJson(json.toUtf8()).object();
    for (auto entry = object.constBegin(); entry != object.constEnd(); ++entry)
        depths.insert(entry.key(), entry.value().toInteger());
    return depths;
}

QString toJson(const QMap<QString, qint64> &depths)
{
    QJsonObject object;
    for (auto entry = depths.cbegin(); entry != depths.cend(); ++entry)
        object.insert(entry.key(), *entry);
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

} // namespace

// Notes the queues of the members that this slice added.
Result<> SqliteRetryStore::noteSources(core::OperationId id, qint64 after)
{
    TRY(execute(QStringLiteral("INSERT OR IGNORE INTO operation_source (operation, aim, queue)"
                               " SELECT DISTINCT m.operation, 0, f.queue FROM retry_member m"
                               " JOIN failed_message f ON f.id = m.message WHERE m.operation = ? AND m.ordinal > ?"
                               " UNION ALL SELECT DISTINCT operation, 1, destination FROM retry_member"
                               " WHERE operation = ? AND ordinal > ?"),
                {id.value, after, id.value, after}));
    return {};
}

// Likewise their groups, for each classifier.
Result<> SqliteRetryStore::noteGroups(core::OperationId id, qint64 after)
{
    for (int i = 0; i < records::classifierCount; ++i) {
        TRY(execute(QStringLiteral("INSERT OR IGNORE INTO operation_group (group_id, operation)"
                                   " SELECT DISTINCT f.group%1, m.operation FROM retry_member m"
                                   " JOIN failed_message f ON f.id = m.message"
                                   " WHERE m.operation = ? AND m.ordinal > ? AND f.group%1 IS NOT NULL")
                        .arg(i),
                    {id.value, after}));
    }
    return {};
}

Result<Returns> SqliteRetryStore::returns(core::ConnectionId connection, core::OperationId operation)
{
    Statement rows = m_database.sql(QStringLiteral(
        "SELECT DISTINCT s.queue, s.aim FROM retry_operation o JOIN operation_source s ON s.operation = o.id"
        " WHERE o.finished IS NULL AND o.connection = ? AND o.state <> ? AND (o.id = ? OR ? = 0)"
        " AND (o.ramp <> '' OR o.stop_when <> '' OR o.watch_back > 0)"
        " ORDER BY s.queue"));
    Returns found;
    TRY(rows.bind(connection, OperationState::Freezing, operation, operation).each([&] {
        (rows.integer(1) != 0 ? found.aims : found.sources).append(rows.text(0));
    }));
    return found;
}

Result<StepState> SqliteRetryStore::stepState(core::OperationId id)
{
    Statement row = m_database.sql(
        QStringLiteral("SELECT depths_before, EXISTS (SELECT 1 FROM retry_member m WHERE m.operation = o.id"
                       " AND m.outcome IN %1 AND m.came_back = 0 AND m.closure = %2)"
                       " FROM retry_operation o WHERE o.id = ?")
            .arg(sqlSet<Outcome>(records::mayHaveArrived), numberOf(ClaimEndReason::None)));
    TRY(const bool found, row.bind(id).step());
    StepState state;
    if (found) {
        state.depthsBefore = depthsFrom(row.text(0));
        state.awaits = row.integer(1) != 0;
    }
    return state;
}

Result<> SqliteRetryStore::keepDepths(core::OperationId id, const QMap<QString, qint64> &depths)
{
    TRY(const StepState known, stepState(id));
    QMap<QString, qint64> all = depths;
    all.insert(known.depthsBefore);
    if (all == known.depthsBefore)
        return {};
    TRY(execute(QStringLiteral("UPDATE retry_operation SET depths_before = ? WHERE id = ?"), {toJson(all), id.value}));
    return {};
}

Result<> SqliteRetryStore::proveStep(core::OperationId id)
{
    TRY(execute(
        QStringLiteral("UPDATE retry_operation SET proved_steps = proved_steps + 1, depths_before = '{}' WHERE id = ?"),
        {id.value}));
    return {};
}

} // namespace store
