#include "backend/store/retry/retryguardstore.h"

#include "backend/records/rules/memberrules.h"
#include "backend/store/database/database.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/retry/retrysql.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>

namespace store {

using records::OperationState;
using records::Outcome;

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

RetryGuardStore::RetryGuardStore(Database &database)
    : m_database(database)
{
}

Result<Returns> RetryGuardStore::returns(core::ConnectionId connection, core::OperationId operation)
{
    Statement rows = m_database.sql(
        QStringLiteral(
            "SELECT DISTINCT s.queue, s.aim = 1 FROM retry_operation o JOIN operation_source s ON s.operation = o.id"
            " WHERE o.finished IS NULL AND o.connection = ? AND o.state <> ? AND (o.id = ? OR ? = 0)"
            " AND (s.aim = 2 OR o.ramp <> '' OR o.stop_when <> '' OR (o.watch_back > 0 AND NOT ")
        + waitsOnlyForAnswers() + QStringLiteral(")) ORDER BY s.queue"));
    Returns found;
    TRY(rows.bind(connection, OperationState::Freezing, operation, operation).each([&] {
        (rows.integer(1) != 0 ? found.aims : found.sources).append(rows.text(0));
    }));
    return found;
}

Result<StepState> RetryGuardStore::stepState(core::OperationId id)
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

Result<> RetryGuardStore::keepDepths(core::OperationId id, const QMap<QString, qint64> &depths)
{
    TRY(const StepState known, stepState(id));
    QMap<QString, qint64> all = depths;
    all.insert(known.depthsBefore);
    if (all == known.depthsBefore)
        return {};
    TRY(m_database.execute(QStringLiteral("UPDATE retry_operation SET depths_before = ? WHERE id = ?"),
                           {toJson(all), id.value}));
    return {};
}

Result<> RetryGuardStore::proveStep(core::OperationId id)
{
    TRY(m_database.execute(
        QStringLiteral("UPDATE retry_operation SET proved_steps = proved_steps + 1, depths_before = '{}' WHERE id = ?"),
        {id.value}));
    return {};
}

} // namespace store
