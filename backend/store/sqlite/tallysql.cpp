#include "backend/store/sqlite/tallysql.h"

#include "backend/core/limits.h"
#include "backend/store/sqlite/database.h"
#include "backend/store/sqlite/filtersql.h"

#include <algorithm>

namespace store {

static Result<QList<TallyPart>> parts(Database &database, const FilterSql &filter, qint64 asOfChange)
{
    Statement rows = database.sql(
        QStringLiteral("SELECT d.queue, d.certainty, d.known_from, t.flags, t.looped, t.count, t.first, t.last FROM"
                       " (SELECT m.destination, m.flags, m.came_back >= ? AS looped, count(*) AS count,"
                       " min(m.first_failed) AS first, max(m.last_failed) AS last FROM failed_message m"
                       " WHERE %1 AND +m.change <= ? GROUP BY m.destination, m.flags, looped) t"
                       " JOIN destination d ON d.id = t.destination ORDER BY t.count DESC, d.queue")
            .arg(filter.where));
    rows.bind(core::limits::loopGuardCameBack).bindAll(filter.values).bind(asOfChange);
    QList<TallyPart> found;
    TRY(rows.each([&] {
        TallyPart part;
        part.destination = {rows.text(0), rows.as<records::Certainty>(1), rows.text(2)};
        part.flags = records::MessageFlags::fromInt(rows.as<records::MessageFlags::Int>(3));
        part.looped = rows.integer(4) != 0;
        part.count = rows.integer(5);
        part.firstFailed = rows.time(6);
        part.lastFailed = rows.time(7);
        found.append(part);
    }));
    return found;
}

static Result<qint64> count(Database &database, const FilterSql &filter, const QString &condition, qint64 asOfChange)
{
    Statement row =
        database.sql(QStringLiteral("SELECT count(*) FROM failed_message m INDEXED BY message_change WHERE %1 AND %2")
                         .arg(filter.where, condition));
    TRY(row.bindAll(filter.values).bind(asOfChange, asOfChange).step());
    return row.integer(0);
}

Result<Tally> tallyOf(Database &database, const records::MessageFilter &filter, qint64 asOfChange)
{
    TRY(const FilterSql withStatus, filterSql(database, filter));
    TRY(const FilterSql anyStatus, filterSql(database, filter, WithStatus::No));
    TRY(QList<TallyPart> frozen, parts(database, withStatus, asOfChange));
    // Few messages changed since, and change numbers have an index.
    TRY(const qint64 changed,
        count(database, anyStatus, QStringLiteral("m.change > ? AND m.created <= ?"), asOfChange));
    TRY(const qint64 fresh, count(database, withStatus, QStringLiteral("m.change > ? AND m.created > ?"), asOfChange));
    return Tally{std::move(frozen), changed, fresh};
}

Result<QList<QueueCount>> readQueueCounts(Database &database)
{
    Statement rows = database.sql(QStringLiteral("SELECT connection, queue, unresolved, looked_at FROM queue_count"));
    QList<QueueCount> counts;
    TRY(rows.each([&] {
        counts.append({core::ConnectionId{rows.integer(0)}, rows.text(1), rows.integer(2), rows.integer(3)});
    }));
    return counts;
}

} // namespace store
