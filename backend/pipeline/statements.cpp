#include "backend/pipeline/statements.h"

namespace pipeline {

using records::PipelineStep;

namespace {

constexpr int mostUnreadable = 100;

QString quoted(const QString &name)
{
    return QLatin1Char('"') + QString(name).replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
}

// ReportStream's own names need no quotes, so the text is the one of its documents.
QString identifier(const QString &name)
{
    static const QStringList plain = [] {
        const Columns defaults;
        QStringList names{defaults.taskTable, defaults.actionTable};
        for (const QList<ColumnField> &fields : {taskFields(), actionFields()}) {
            for (const ColumnField &field : fields)
                names.append(defaults.*field.column);
        }
        return names;
    }();
    return plain.contains(name) ? name : quoted(name);
}

QString tableName(const QString &table)
{
    const qsizetype dot = table.indexOf(QLatin1Char('.'));
    if (dot <= 0 || dot + 1 == table.size())
        return identifier(table);
    return identifier(table.left(dot)) + QLatin1Char('.') + identifier(table.mid(dot + 1));
}

QString named(const QString &column, const char *as)
{
    const QString name = QString::fromLatin1(as);
    return column == name ? name : identifier(column) + QStringLiteral(" as ") + name;
}

QString limited(int limit)
{
    return limit < 1 ? QString() : QStringLiteral(" limit %1").arg(limit);
}

} // namespace

Statements::Statements(DatabaseKind kind, Columns columns)
    : m_kind(kind)
    , m_columns(std::move(columns))
{
}

QString Statements::seven() const
{
    QStringList list;
    for (const ColumnField &field : taskFields()) {
        if (!field.isOptional)
            list.append(named(m_columns.*field.column, field.name));
    }
    return list.join(QStringLiteral(", "));
}

// SQLite has no type for times: its function reads the usual spellings.
QString Statements::time(const QString &column) const
{
    const QString name = identifier(column);
    return m_kind == DatabaseKind::Sqlite ? QStringLiteral("datetime(%1)").arg(name) : name;
}

QString Statements::ago(const char *span) const
{
    const QString text = QString::fromLatin1(span);
    return m_kind == DatabaseKind::Sqlite ? QStringLiteral("datetime('now', '-%1')").arg(text)
                                          : QStringLiteral("now() - interval '%1'").arg(text);
}

QString Statements::optional(const QString &column, const char *as) const
{
    return column.isEmpty() ? QStringLiteral("null as ") + QString::fromLatin1(as) : named(column, as);
}

QString Statements::overdue(PipelineStep step, int limit) const
{
    const bool isRecent = step != PipelineStep::Process; // a process task never becomes too old to be a problem
    const QString recent =
        isRecent ? QStringLiteral(" and %1 > %2").arg(time(m_columns.createdAt), ago("4 days")) : QString();
    const QStringList parts{seven(),
                            tableName(m_columns.taskTable),
                            identifier(m_columns.nextAction),
                            records::toString(step),
                            recent,
                            time(m_columns.nextActionAt),
                            ago("15 minutes"),
                            limited(limit)};
    return QStringLiteral("select %1 from %2 where %3 = '%4'%5 and %6 < %7 order by %6%8")
        .arg(parts.at(0), parts.at(1), parts.at(2), parts.at(3), parts.at(4), parts.at(5), parts.at(6), parts.at(7));
}

QString Statements::unreadable(PipelineStep step) const
{
    if (m_kind != DatabaseKind::Sqlite)
        return {};
    const auto broken = [this](const QString &column) {
        return QStringLiteral("(%1 is not null and %2 is null)").arg(identifier(column), time(column));
    };
    return QStringLiteral("select %1, %2, %3 from %4 where %5 = '%6' and (%7 or %8)%9")
        .arg(identifier(m_columns.reportId), identifier(m_columns.nextActionAt), identifier(m_columns.createdAt),
             tableName(m_columns.taskTable), identifier(m_columns.nextAction), records::toString(step),
             broken(m_columns.nextActionAt), broken(m_columns.createdAt), limited(mostUnreadable));
}

QString Statements::sendActions(int limit) const
{
    return QStringLiteral("select %1, %2, %3, %4, %5 from %6 where %7 in ('send_error', 'send_warning')"
                          " order by %8 desc%9")
        .arg(optional(m_columns.actionId, "action_id"), named(m_columns.actionName, "action_name"),
             optional(m_columns.actionParameters, "action_params"), optional(m_columns.actionResult, "action_result"),
             named(m_columns.actionCreatedAt, "created_at"), tableName(m_columns.actionTable),
             identifier(m_columns.actionName), time(m_columns.actionCreatedAt), limited(limit));
}

QString Statements::sendRetries(int limit) const
{
    if (m_columns.retryToken.isEmpty())
        return {};
    return QStringLiteral("select %1, %2 from %3 where %4 = 'send' and %5 is not null order by %6%7")
        .arg(seven(), named(m_columns.retryToken, "retry_token"), tableName(m_columns.taskTable),
             identifier(m_columns.nextAction), identifier(m_columns.retryToken), time(m_columns.nextActionAt),
             limited(limit));
}

QString Statements::batchTasks() const
{
    return QStringLiteral("select %1, %2, %3, %4 from %5 where %6 = 'batch'")
        .arg(identifier(m_columns.receiverName), identifier(m_columns.reportId), identifier(m_columns.nextActionAt),
             identifier(m_columns.createdAt), tableName(m_columns.taskTable), identifier(m_columns.nextAction));
}

// PostgreSQL locks the row and does not wait for whoever has it; a writing transaction of SQLite locks the file.
QString Statements::task(bool lock) const
{
    const bool locksRow = lock && m_kind == DatabaseKind::PostgreSql;
    return QStringLiteral("select %1 from %2 where %3 = ?%4")
        .arg(seven(), tableName(m_columns.taskTable), identifier(m_columns.reportId),
             locksRow ? QStringLiteral(" for update nowait") : QString());
}

QString Statements::reschedule() const
{
    return QStringLiteral("update %1 set %2 = ? where %3 = ? and %4 = ?")
        .arg(tableName(m_columns.taskTable), identifier(m_columns.nextActionAt), identifier(m_columns.reportId),
             identifier(m_columns.nextAction));
}

QString Statements::columnsOf(const QString &table) const
{
    return QStringLiteral("select * from %1 limit 0").arg(tableName(table));
}

} // namespace pipeline
