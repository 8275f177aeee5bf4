#include "backend/pipeline/statements.h"

namespace pipeline {

using records::PipelineStep;

namespace {

// ISO 8601 date and time, exactly as far as the cast of PostgreSQL 15 cannot fail on it: one failing cast ends the whole
// statement, and the days of a month and leap years count.
const QString isoTime = QStringLiteral(
    "^([1-9][0-9]{3}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2["
    "0-8]))"
    "|([1-9][0-9](0[48]|[2468][048]|[13579][26])|([2468][048]|[13579][26])00)-02-29)"
    "[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?(Z|[+-](0[0-9]|1[0-4])(:?[0-5][0-9])?)?$");

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

Statements::Statements(DatabaseKind kind, Columns columns, OtherTypes types)
    : m_kind(kind)
    , m_columns(std::move(columns))
    , m_types(std::move(types))
{
}

QString Statements::seven() const
{
    QStringList list;
    for (const ColumnField &field : taskFields()) {
        if (!field.isOptional)
            list.append(value(field.column, field.name));
    }
    return list.join(QStringLiteral(", "));
}

// SQLite has no type for times: its function reads the usual spellings.
QString Statements::time(Time column) const
{
    const QString name = identifier(m_columns.*column);
    if (m_kind == DatabaseKind::Sqlite)
        return QStringLiteral("datetime(%1)").arg(name);
    if (m_types.withoutZone.contains(column))
        return name + QStringLiteral(" at time zone 'UTC'");
    if (!m_types.text.contains(column))
        return name;
    return QStringLiteral("case when %1::text ~ '%2' then %1::text::timestamptz end").arg(name, isoTime);
}

QString Statements::value(Time column, const char *as) const
{
    return m_types.withoutZone.contains(column) ? time(column) + QStringLiteral(" as ") + QString::fromLatin1(as)
                                                : named(m_columns.*column, as);
}

QString Statements::broken(Time column) const
{
    return QStringLiteral("(%1 is not null and %2 is null)").arg(identifier(m_columns.*column), time(column));
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
        isRecent ? QStringLiteral(" and %1 > %2").arg(time(&Columns::createdAt), ago("4 days")) : QString();
    const QStringList parts{seven(),
                            tableName(m_columns.taskTable),
                            identifier(m_columns.nextAction),
                            records::toString(step),
                            recent,
                            time(&Columns::nextActionAt),
                            ago("15 minutes"),
                            limited(limit)};
    return QStringLiteral("select %1 from %2 where %3 = '%4'%5 and %6 < %7 order by %6%8")
        .arg(parts.at(0), parts.at(1), parts.at(2), parts.at(3), parts.at(4), parts.at(5), parts.at(6), parts.at(7));
}

QString Statements::unreadable(PipelineStep step) const
{
    const bool hasTypes = !m_types.text.contains(&Columns::nextActionAt) && !m_types.text.contains(&Columns::createdAt);
    if (m_kind == DatabaseKind::PostgreSql && hasTypes)
        return {};
    return QStringLiteral("select %1, %2, %3 from %4 where %5 = '%6' and (%7 or %8)%9")
        .arg(identifier(m_columns.reportId), value(&Columns::nextActionAt, "next_action_at"),
             value(&Columns::createdAt, "created_at"), tableName(m_columns.taskTable), identifier(m_columns.nextAction),
             records::toString(step), broken(&Columns::nextActionAt), broken(&Columns::createdAt),
             limited(mostUnreadable + 1));
}

QString Statements::sendActions(int limit) const
{
    return QStringLiteral("select %1, %2, %3, %4, %5 from %6 where %7 in ('send_error', 'send_warning')"
                          " order by %8 desc%9")
        .arg(optional(m_columns.actionId, "action_id"), named(m_columns.actionName, "action_name"),
             optional(m_columns.actionParameters, "action_params"), optional(m_columns.actionResult, "action_result"),
             value(&Columns::actionCreatedAt, "created_at"), tableName(m_columns.actionTable),
             identifier(m_columns.actionName), time(&Columns::actionCreatedAt), limited(limit));
}

QString Statements::sendRetries(int limit) const
{
    if (m_columns.retryToken.isEmpty())
        return {};
    const QString at = time(&Columns::nextActionAt);
    const bool hasType = m_kind == DatabaseKind::PostgreSql && !m_types.text.contains(&Columns::nextActionAt);
    const QString unreadable = hasType ? QString() : QStringLiteral(" or ") + broken(&Columns::nextActionAt);
    return QStringLiteral("select %1, %2 from %3 where %4 = 'send' and %5 is not null and (%6 >= %7%8)"
                          " order by %6 nulls last%9")
        .arg(seven(), named(m_columns.retryToken, "retry_token"), tableName(m_columns.taskTable),
             identifier(m_columns.nextAction), identifier(m_columns.retryToken), at, ago("15 minutes"), unreadable,
             limited(limit));
}

QString Statements::batchTasks() const
{
    return QStringLiteral("select %1, %2, %3, %4 from %5 where %6 = 'batch' order by %1")
        .arg(identifier(m_columns.receiverName), identifier(m_columns.reportId),
             value(&Columns::nextActionAt, "next_action_at"), value(&Columns::createdAt, "created_at"),
             tableName(m_columns.taskTable), identifier(m_columns.nextAction));
}

// ReportStream: DatabaseAccess.kt, fetchSettings. A row that was replaced or deleted is not active.
QString Statements::receiverSettings() const
{
    return QStringLiteral("select org.name, item.name, item.\"values\" from %1 item join %1 org"
                          " on item.organization_id = org.setting_id"
                          " where item.type = 'RECEIVER' and item.is_active and org.is_active"
                          " order by org.name, item.name%2")
        .arg(tableName(settingTable()), limited(mostReceivers));
}

QString Statements::settingTable() const
{
    if (!m_columns.settingTable.isEmpty())
        return m_columns.settingTable;
    const qsizetype dot = m_columns.taskTable.indexOf(QLatin1Char('.'));
    return m_columns.taskTable.left(dot + 1) + QStringLiteral("setting");
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

QString Statements::changeBack() const
{
    return QStringLiteral("%1 and %2 = ?").arg(reschedule(), identifier(m_columns.nextActionAt));
}

QString Statements::columnsOf(const QString &table) const
{
    return QStringLiteral("select * from %1 limit 0").arg(tableName(table));
}

} // namespace pipeline
