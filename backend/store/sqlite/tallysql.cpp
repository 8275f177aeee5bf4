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
    const Result<> read = rows.each([&] {
        TallyPart part;
        part.destination = {rows.text(0), rows.as<records::Certainty>(1), rows.text(2)};
        part.flags = records::MessageFlags::fromInt(rows.as<records::MessageFlags::Int>(3));
        part.looped = rows.integer(4) != 0;
        part.count = rows.integer(5);
        part.firstFailed = rows.time(6);
        part.lastFailed = rows.time(7);
        found.append(part);
    });
    if (!read)
        return core::fail(read.error());
    return found;
}

static Result<qint64> count(Database &database, const FilterSql &filter, const QString &condition, qint64 asOfChange)
{
    Statement row =
        database.sql(QStringLiteral("SELECT count(*) FROM failed_message m INDEXED BY message_change WHERE %1 AND %2")
                         .arg(filter.where, condition));
    const Result<bool> done = row.bindAll(filter.values).bind(asOfChange, asOfChange).step();
    if (!done)
        return core::fail(done.error());
    return row.integer(0);
}

Result<Tally> tallyOf(Database &database, const records::MessageFilter &filter, qint64 asOfChange)
{
    const Result<FilterSql> withStatus = filterSql(database, filter);
    if (!withStatus)
        return core::fail(withStatus.error());
    const Result<FilterSql> anyStatus = filterSql(database, filter, WithStatus::No);
    if (!anyStatus)
        return core::fail(anyStatus.error());
    Result<QList<TallyPart>> frozen = parts(database, *withStatus, asOfChange);
    if (!frozen)
        return core::fail(frozen.error());
    // Few messages changed since, and change numbers have an index.
    const Result<qint64> changed =
        count(database, *anyStatus, QStringLiteral("m.change > ? AND m.created <= ?"), asOfChange);
    if (!changed)
        return core::fail(changed.error());
    const Result<qint64> fresh =
        count(database, *withStatus, QStringLiteral("m.change > ? AND m.created > ?"), asOfChange);
    if (!fresh)
        return core::fail(fresh.error());
    return Tally{std::move(*frozen), *changed, *fresh};
}

Result<QList<QueueCount>> readQueueCounts(Database &database)
{
    Statement rows = database.sql(QStringLiteral("SELECT connection, queue, unresolved, looked_at FROM queue_count"));
    QList<QueueCount> counts;
    const Result<> read = rows.each([&] {
        counts.append({core::ConnectionId{rows.integer(0)}, rows.text(1), rows.integer(2), rows.integer(3)});
    });
    if (!read)
        return core::fail(read.error());
    return counts;
}

} // namespace store
