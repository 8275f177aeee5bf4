#include "backend/store/query/listsql.h"

#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/search/filtersql.h"
#include "backend/store/text.h"

namespace store {

using records::MessageOrder;
using records::MessageStatus;

namespace {

struct Order
{
    QString column;
    QString index; // an index of status and column; empty: there is none
    bool ofConnection = false; // the index begins with the connection
};

Order orderOf(MessageOrder order)
{
    switch (order) {
    case MessageOrder::LastFailed:
        return {QStringLiteral("last_failed"), QStringLiteral("message_failed"), true};
    case MessageOrder::Queue:
        return {QStringLiteral("queue"), QStringLiteral("message_queue"), false};
    case MessageOrder::MessageType:
        return {QStringLiteral("message_type"), QStringLiteral("message_type"), false};
    case MessageOrder::ExceptionType:
        return {QStringLiteral("exception_type"), QStringLiteral("message_exception"), false};
    case MessageOrder::Attempts:
        return {QStringLiteral("attempts"), QStringLiteral("message_attempts"), false};
    case MessageOrder::Size:
        return {QStringLiteral("body_size"), QStringLiteral("message_size"), false};
    }
    Q_UNREACHABLE();
}

// A group has few members compared with a status: sorting them costs less than finding them among the others.
Order orderOf(const api::MessageQuery &query, const FilterSql &filter)
{
    const Order order = orderOf(query.order);
    const bool byQueue = order.ofConnection && !query.filter.queue.isEmpty();
    if (filter.groupColumn < 0 && !byQueue)
        return order;
    return {order.column, failedIndex(query.filter, filter), false};
}

core::Result<QList<qint64>> connections(Database &database, const records::MessageFilter &filter)
{
    QList<qint64> ids;
    if (filter.connection.isValid())
        return QList<qint64>{filter.connection.value};
    Statement rows = database.sql(QStringLiteral("SELECT id FROM connection"));
    TRY(rows.each([&] { ids.append(rows.integer(0)); }));
    return ids;
}

// One stream for each status, so that each stream is in the order of its index.
QList<records::MessageFilter> narrowed(const records::MessageFilter &filter, const QList<qint64> &ofConnections)
{
    QList<records::MessageFilter> all;
    for (const qint64 connection : ofConnections) {
        records::MessageFilter one = filter;
        one.connection = core::ConnectionId{connection};
        if (one.status) {
            all.append(one);
            continue;
        }
        for (const MessageStatus status : records::messageStatuses) {
            one.status = status;
            all.append(one);
        }
    }
    return all;
}

// The first of each stream: every one stops at the limit, and so does the whole.
core::Result<ListSql> searchPageSql(Database &database, const api::MessageQuery &query,
                                    const std::optional<ListCursor> &cursor, int limit)
{
    TRY(QList<SearchStream> streams, searchStreams(database, query.filter));
    const bool down = query.direction == records::SortDirection::Descending;
    const QString tail =
        QStringLiteral(" %1 LIMIT %2").arg(down ? QStringLiteral("DESC") : QStringLiteral("ASC")).arg(limit);
    QStringList parts;
    ListSql sql{{}, {}, true};
    for (SearchStream &one : streams) {
        if (cursor)
            one.filter.add(one.id + (down ? QStringLiteral(" < ?") : QStringLiteral(" > ?")), {cursor->id.value});
        parts += QStringLiteral("SELECT * FROM (SELECT %1 AS id FROM %2 WHERE %3 ORDER BY %1%4) s")
                     .arg(one.id, one.from, one.filter.where, tail);
        sql.values += one.filter.values;
    }
    if (parts.isEmpty())
        parts += QStringLiteral("SELECT NULL AS id WHERE FALSE");
    sql.text =
        QStringLiteral("SELECT id, NULL FROM (%1) l ORDER BY id%2").arg(parts.join(QStringLiteral(" UNION ")), tail);
    return sql;
}

core::Result<ListSql> searchSql(Database &database, const api::MessageQuery &query,
                                const std::optional<ListCursor> &cursor, std::optional<int> limit)
{
    if (limit)
        return searchPageSql(database, query, cursor, *limit);
    TRY(const FilterSql filter, filterSql(database, query.filter));
    const bool down = query.direction == records::SortDirection::Descending;
    QString text = QStringLiteral("SELECT m.id, NULL FROM failed_message m WHERE %1 ORDER BY m.id %2")
                       .arg(filter.where, down ? QStringLiteral("DESC") : QStringLiteral("ASC"));
    return ListSql{text, filter.values, true};
}

} // namespace

core::Result<ListSql> listSql(Database &database, const api::MessageQuery &query, std::optional<int> limit)
{
    std::optional<ListCursor> cursor;
    if (!query.after.isEmpty()) {
        cursor = listCursorFrom(query.after);
        if (!cursor)
            return core::fail(core::ErrorKind::Rejected,
                              Text::tr("The list cannot continue from this position. Load it again from the start."));
    }
    if (!query.filter.search.isEmpty() && query.order == MessageOrder::LastFailed)
        return searchSql(database, query, cursor, limit);
    TRY(const FilterSql whole, filterSql(database, query.filter));
    const bool picked =
        !query.filter.messages.isEmpty() || !query.filter.search.isEmpty() || query.filter.cameBackFrom.isValid();
    Order order = orderOf(query, whole);
    TRY(const QList<qint64> parts, order.ofConnection && !picked
                                       ? connections(database, query.filter)
                                       : core::Result<QList<qint64>>(QList<qint64>{query.filter.connection.value}));
    const bool down = query.direction == records::SortDirection::Descending;
    const QString tail =
        QStringLiteral(" ORDER BY 2 %1, 1 %1").arg(down ? QStringLiteral("DESC") : QStringLiteral("ASC"))
        + (limit ? QStringLiteral(" LIMIT %1").arg(*limit) : QString());
    QStringList streams;
    ListSql sql;
    for (const records::MessageFilter &one : picked ? QList{query.filter} : narrowed(query.filter, parts)) {
        TRY(FilterSql filter, filterSql(database, one));
        if (cursor)
            filter.add(QStringLiteral("(m.%1, m.id) %2 (?, ?)")
                           .arg(order.column, down ? QStringLiteral("<") : QStringLiteral(">")),
                       {cursor->key, cursor->id.value});
        const QString hint = picked ? QString() : QStringLiteral(SQL_USING_INDEX("%1")).arg(order.index);
        streams +=
            QStringLiteral("SELECT m.id, m.%1 FROM failed_message m %2 WHERE %3").arg(order.column, hint, filter.where);
        sql.values += filter.values;
    }
    if (streams.isEmpty())
        streams += QStringLiteral("SELECT NULL, NULL WHERE FALSE"); // no connection, no message
    if (streams.size() > 1) { // each stream has its own order and limit, and then so has the whole
        for (QString &stream : streams)
            stream = QStringLiteral("SELECT * FROM (%1) s").arg(stream + tail);
    }
    sql.text = streams.join(QStringLiteral(" UNION ALL ")) + tail;
    return sql;
}

} // namespace store
