#include "backend/store/database/keysetpaging.h"

#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/messages/messagerow.h"
#include "backend/store/retry/retrysql.h"
#include "backend/store/search/filtersql.h"

#include <algorithm>

namespace store {

using core::MessageId;

// Whether indexes list the filter's messages in the order of failure. A message type has its own index, by id.
static bool isInOrderOfFailing(const records::MessageFilter &filter)
{
    if (!filter.status || !filter.search.isEmpty() || filter.cameBackFrom.isValid())
        return false;
    return !filter.groups.isEmpty() || !filter.queue.isEmpty()
           || (filter.connection.isValid() && filter.messageType.isEmpty());
}

// Reads the next messages of one index, with two queries: for a pair (time, id) SQLite bounds its walk by the time
// only, and would walk again past all messages that failed at the same moment.
static Result<> readFailing(Database &database, records::MessageFilter filter, SliceEnd after, int limit,
                            QList<SliceEnd> &found)
{
    if (filter.since && *filter.since > after.lastFailed)
        after = {*filter.since, {}};
    filter.since.reset(); // with two lower bounds SQLite would start at the first one in the text
    TRY(const FilterSql sql, filterSql(database, filter));
    const QString from =
        QStringLiteral("SELECT m.id, m.last_failed FROM failed_message m " SQL_USING_INDEX("%1") " WHERE %2 AND ")
            .arg(failedIndex(filter, sql), sql.where);
    const qsizetype most = found.size() + limit;
    const auto read = [&found](Statement &rows) {
        return rows.each([&] { found.append({rows.time(1), MessageId{rows.integer(0)}}); });
    };
    Statement same = database.sql(from + QStringLiteral("m.last_failed = ? AND m.id > ? ORDER BY m.id LIMIT ?"));
    TRY(read(same.bindAll(sql.values).bind(after.lastFailed, after.id, limit)));
    if (found.size() >= most)
        return {};
    Statement later = database.sql(from + QStringLiteral("m.last_failed > ? ORDER BY m.last_failed, m.id LIMIT ?"));
    return read(later.bindAll(sql.values).bind(after.lastFailed, int(most - found.size())));
}

// Several groups are one stream each, in order: a query for all of them would sort them again for each slice.
static Result<Slice> sliceByFailing(Database &database, const records::MessageFilter &filter, const SliceEnd &after,
                                    int limit)
{
    QList<SliceEnd> found;
    records::MessageFilter one = filter;
    for (qsizetype i = 0; i < std::max<qsizetype>(1, filter.groups.size()); ++i) {
        one.groups = filter.groups.mid(i, 1);
        TRY(readFailing(database, one, after, limit, found));
    }
    const auto key = [](const SliceEnd &end) { return std::pair(end.lastFailed, end.id); };
    std::sort(found.begin(), found.end(), [&](const auto &a, const auto &b) { return key(a) < key(b); });
    Slice slice{{}, after};
    for (const SliceEnd &end : std::as_const(found)) {
        if (slice.ids.size() == limit)
            break;
        if (!slice.ids.isEmpty() && slice.ids.constLast() == end.id) // the same message in groups of two classifiers
            continue;
        slice.ids.append(end.id);
        slice.end = end;
    }
    return slice;
}

static Result<Slice> sliceOfFilter(Database &database, const records::MessageFilter &filter, const SliceEnd &after,
                                   int limit)
{
    if (isInOrderOfFailing(filter))
        return sliceByFailing(database, filter, after, limit);
    TRY(const FilterSql sql, filterSql(database, filter));
    // Without the hint SQLite uses an index that begins with the status and sorts all of it for each slice.
    const bool hasIndex = !filter.messageType.isEmpty() && filter.search.isEmpty() && !filter.cameBackFrom.isValid();
    Statement rows =
        database.sql(QStringLiteral("SELECT m.id FROM failed_message m %1 WHERE %2 AND m.id > ? ORDER BY m.id LIMIT ?")
                         .arg(hasIndex ? QString() : QStringLiteral(SQL_USING_NO_INDEX), sql.where));
    TRY(const QList<MessageId> ids, readIds(rows.bindAll(sql.values).bind(after.id, limit)));
    return Slice{ids, {after.lastFailed, ids.isEmpty() ? after.id : ids.constLast()}};
}

// In the order of the list, each read by its id: with one condition of many ids, SQLite reads every message of the
// status and compares.
static Result<QList<MessageId>> thoseOf(Database &database, const QList<MessageId> &ids,
                                        const records::MessageFilter &filter)
{
    TRY(const FilterSql sql, filterSql(database, filter));
    Statement rows =
        database.sql(QStringLiteral("SELECT m.id FROM " SQL_LIST " j " SQL_JOIN_IN_ORDER " failed_message m"
                                    " ON m.id = j.value WHERE %1 ORDER BY j.key")
                         .arg(sql.where));
    rows.bind(listOf(ids)).bindAll(sql.values);
    return readIds(rows);
}

static bool isStrictlyRising(const QList<MessageId> &ids)
{
    return std::adjacent_find(ids.cbegin(), ids.cend(), std::greater_equal<>()) == ids.cend();
}

Result<Slice> sliceOf(Database &database, const records::MessageFilter &filter, const SliceEnd &after, int limit)
{
    if (filter.messages.isEmpty())
        return sliceOfFilter(database, filter, after, limit);
    QList<MessageId> sorted;
    if (!isStrictlyRising(filter.messages)) {
        sorted = filter.messages;
        std::sort(sorted.begin(), sorted.end());
        sorted.resize(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
    }
    const QList<MessageId> &wanted = sorted.isEmpty() ? filter.messages : sorted;
    records::MessageFilter rest = filter;
    rest.messages.clear();
    auto next = std::upper_bound(wanted.cbegin(), wanted.cend(), after.id);
    QList<MessageId> ids;
    while (next != wanted.cend() && ids.size() < limit) {
        const auto end = next + std::min<qsizetype>(limit, wanted.cend() - next);
        TRY(const QList<MessageId> some, thoseOf(database, QList<MessageId>(next, end), rest));
        ids += some;
        next = end;
    }
    ids.resize(std::min<qsizetype>(ids.size(), limit));
    const MessageId last = ids.isEmpty() ? after.id : ids.constLast();
    return Slice{std::move(ids), {after.lastFailed, last}};
}

} // namespace store
