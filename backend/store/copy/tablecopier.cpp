#include "backend/store/copy/tablecopier.h"

#include "backend/store/database/database.h"

#include <algorithm>

namespace store {

using schema::Column;
using schema::Table;

namespace {

constexpr qint64 rowsOfAStatement = 50; // a statement has few thousand values at most: SQLite takes 32,766
constexpr qint64 leastSlice = 50; // the rows of the first slice: how large they are is not known yet
constexpr qint64 mostSlice = 2'000;
constexpr qint64 bytesOfASlice = 4 * 1024 * 1024;
constexpr qint64 mostWithBytes = 50; // rows of a slice whose rows may be large: it is in memory as a whole
constexpr qint64 bytesOfAStatement = 32LL * 1024 * 1024; // a message to PostgreSQL has less than 1 GB

QString namesOf(const QList<Column> &columns)
{
    QStringList names;
    for (const Column &column : columns)
        names += column.name;
    return names.join(QStringLiteral(", "));
}

// "(?, ?), (?, ?)": rows times values.
QString places(qsizetype rows, qsizetype values)
{
    const QString row = u'(' + QStringList(values, QStringLiteral("?")).join(QStringLiteral(", ")) + u')';
    return QStringList(rows, row).join(QStringLiteral(", "));
}

QString reading(const Table &table, bool fromTheStart)
{
    const QString key = table.key.join(QStringLiteral(", "));
    const QString after =
        fromTheStart ? QString() : QStringLiteral(" WHERE (%1) > %2").arg(key, places(1, table.key.size()));
    return QStringLiteral("SELECT %1 FROM %2%3 ORDER BY %4 LIMIT ?")
        .arg(namesOf(table.columns), table.name, after, key);
}

// By the type of the column: SQLite may have a text where bytes are meant.
QVariant valueOf(const Statement &row, int column, Column::Type type)
{
    if (row.isNull(column))
        return {};
    switch (type) {
    case Column::Type::Whole:
        return row.integer(column);
    case Column::Type::Words:
        return Statement::toVariant(row.text(column));
    case Column::Type::Bytes:
        return Statement::toVariant(row.blob(column));
    }
    return {};
}

qint64 sizeOf(const QVariant &value)
{
    if (value.typeId() == QMetaType::QByteArray)
        return value.toByteArray().size();
    return value.typeId() == QMetaType::QString ? 2 * value.toString().size() : qint64(sizeof(qint64));
}

} // namespace

TableCopier::TableCopier(Database &source, Database &target, Written written)
    : m_source(source)
    , m_target(target)
    , m_written(std::move(written))
{
}

Result<> TableCopier::copy(const Table &table)
{
    TRY(clear(table));
    QVariantList after;
    qint64 most = leastSlice;
    const bool hasBytes = std::any_of(table.columns.cbegin(), table.columns.cend(),
                                      [](const Column &column) { return column.type == Column::Type::Bytes; });
    while (true) {
        TRY(const Slice slice, copySlice(table, after, most));
        if (slice.rows > 0)
            TRY(m_written(slice.rows));
        if (slice.rows < most)
            return {};
        after = slice.last;
        const qint64 fitting = bytesOfASlice * slice.rows / std::max<qint64>(1, slice.bytes);
        most = std::clamp<qint64>(std::min(fitting, 2 * most), 1, hasBytes ? mostWithBytes : mostSlice);
    }
}

Result<> TableCopier::clear(const Table &table)
{
    {
        Statement row = m_target.sql(QStringLiteral("SELECT 1 FROM %1 LIMIT 1").arg(table.name));
        TRY(const bool found, row.step());
        if (!found)
            return {}; // and the activity log lets nobody remove rows
    }
    return m_target.sql(QStringLiteral("DELETE FROM %1").arg(table.name)).run().map([](int) {});
}

Result<TableCopier::Slice> TableCopier::copySlice(const Table &table, const QVariantList &after, qint64 most)
{
    QList<qsizetype> key;
    for (const QString &name : table.key)
        key += std::find_if(table.columns.begin(), table.columns.end(), [&](const Column &c) { return c.name == name; })
               - table.columns.begin();
    Slice slice;
    QVariantList values;
    qint64 waiting = 0; // rows in `values`
    qint64 bytes = 0; // of them
    Statement rows = m_source.sql(reading(table, after.isEmpty()));
    rows.bindAll(after).bind(most);
    while (true) {
        TRY(const bool found, rows.step());
        if (!found)
            break;
        const qsizetype begin = values.size();
        const qint64 before = slice.bytes;
        for (qsizetype i = 0; i < table.columns.size(); ++i) {
            values += valueOf(rows, int(i), table.columns.at(i).type);
            slice.bytes += sizeOf(values.constLast());
        }
        slice.last.clear();
        for (const qsizetype column : std::as_const(key))
            slice.last += values.at(begin + column);
        ++slice.rows;
        ++waiting;
        bytes += slice.bytes - before;
        if (waiting == rowsOfAStatement)
            TRY(put(table, values, waiting));
        while (bytes >= bytesOfAStatement && !values.isEmpty())
            TRY(put(table, values, 1)); // each alone: statements of other sizes would not be used again
        if (values.isEmpty())
            waiting = bytes = 0;
    }
    while (!values.isEmpty())
        TRY(put(table, values, 1));
    return slice;
}

// The first rows of `values`, which are removed from it.
Result<> TableCopier::put(const Table &table, QVariantList &values, qint64 rowsAtOnce)
{
    const qsizetype count = rowsAtOnce * table.columns.size();
    const QString insert = QStringLiteral("INSERT INTO %1 (%2) VALUES %3")
                               .arg(table.name, namesOf(table.columns), places(rowsAtOnce, table.columns.size()));
    TRY(m_target.execute(insert, values.first(count)));
    values.remove(0, count);
    return {};
}

} // namespace store
