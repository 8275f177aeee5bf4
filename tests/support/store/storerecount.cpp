#include "tests/support/store/storerecount.h"

namespace test {

static QString firstRow(store::Database &database, const QString &query)
{
    store::Statement row = database.sql(query);
    const core::Result<bool> found = row.step();
    if (!found)
        return found.error().message + found.error().detail;
    QStringList columns;
    for (int i = 0; *found && i < 10; ++i)
        columns += row.value(i).toString();
    return columns.join(QLatin1Char('|'));
}

static QString difference(store::Database &database, const QString &kept, const QString &counted)
{
    for (const QString &query :
         {kept + QStringLiteral(" EXCEPT ") + counted, counted + QStringLiteral(" EXCEPT ") + kept}) {
        const QString row = firstRow(database, query);
        if (!row.isEmpty())
            return query + QStringLiteral(": ") + row;
    }
    return {};
}

QString countDifference(store::Database &database)
{
    const QString statuses =
        QStringLiteral("sum(status = 0), sum(status = 1), sum(status = 2), sum(status = 3), sum(status = 4),"
                       " sum(status = 5)");
    const QString some = QStringLiteral("unresolved + retry_issued + resolved + archived + released + unknown <> 0");
    for (int i = 0; i < 5; ++i) {
        const QString found = difference(
            database,
            QStringLiteral(
                "SELECT group_id, queue, unresolved, retry_issued, resolved, archived, released, unknown, came_back,"
                " looked_at"
                " FROM group_count JOIN failure_group g ON g.id = group_id WHERE classifier = %1 AND (%2 OR "
                "came_back <> 0)")
                .arg(i)
                .arg(some),
            QStringLiteral("SELECT group%1, queue, %2, sum(came_back > 0), sum((flags & 128) <> 0) FROM failed_message "
                           "WHERE group%1 IS NOT NULL"
                           " GROUP BY 1, 2")
                .arg(i)
                .arg(statuses));
        if (!found.isEmpty())
            return found;
    }
    return difference(
        database,
        QStringLiteral(
            "SELECT connection, queue, unresolved, retry_issued, resolved, archived, released, unknown, looked_at FROM"
            " queue_count WHERE ")
            + some,
        QStringLiteral("SELECT connection, queue, %1, sum((flags & 128) <> 0) FROM failed_message GROUP BY 1, 2")
            .arg(statuses));
}

QList<qint64> rowCounts(store::Database &database)
{
    QList<qint64> counts;
    for (const char *table :
         {"failed_message", "message_content", "processing_attempt", "destination", "failure_group", "group_count",
          "queue_count", "connection", "intake_run", "followed_queue", "event_log", "run_sample"}) {
        store::Statement row = database.sql(QStringLiteral("SELECT count(*) FROM ") + QString::fromLatin1(table));
        const core::Result<bool> found = row.step();
        counts += found && *found ? row.integer(0) : -1;
    }
    return counts;
}

} // namespace test
