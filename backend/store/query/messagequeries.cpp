#include "backend/store/query/messagequeries.h"

#include "backend/core/limits.h"
#include "backend/store/query/listsql.h"
#include "backend/store/sqlite/database.h"
#include "backend/store/sqlite/expiries.h"
#include "backend/store/sqlite/filtersql.h"
#include "backend/store/sqlite/messagerow.h"
#include "backend/store/sqlite/retrysql.h"
#include "backend/store/text.h"

#include <QMap>

#include <algorithm>

namespace store {

using core::Result;

static constexpr int pageMost = 10'000;

static Result<qint64> oneNumber(Statement &row)
{
    const Result<bool> found = row.step();
    if (!found)
        return core::fail(found.error());
    return *found ? row.integer(0) : 0;
}

Result<qint64> readChangeNumber(Database &database)
{
    Statement row = database.sql(QStringLiteral("SELECT change FROM store_meta"));
    return oneNumber(row);
}

static QString statusColumn(records::MessageStatus status)
{
    switch (status) {
    case records::MessageStatus::Unresolved:
        return QStringLiteral("unresolved");
    case records::MessageStatus::RetryIssued:
        return QStringLiteral("retry_issued");
    case records::MessageStatus::Resolved:
        return QStringLiteral("resolved");
    case records::MessageStatus::Archived:
        return QStringLiteral("archived");
    case records::MessageStatus::Released:
        return QStringLiteral("released");
    case records::MessageStatus::Unknown:
        return QStringLiteral("unknown");
    }
    Q_UNREACHABLE();
}

// Counts are kept for queues, connections and single groups; several groups may share members.
static Result<std::optional<qint64>> keptCount(Database &database, const records::MessageFilter &filter)
{
    records::MessageFilter rest = filter;
    rest.connection = {};
    rest.queue.clear();
    rest.status.reset();
    rest.groups.clear();
    if (rest != records::MessageFilter{} || filter.groups.size() > 1)
        return std::nullopt;
    const bool ofGroup = !filter.groups.isEmpty();
    FilterSql kept;
    kept.add(QStringLiteral("1"));
    if (ofGroup)
        kept.add(QStringLiteral("group_id = ?"), {filter.groups.constFirst().value});
    if (filter.connection.isValid())
        kept.add(QStringLiteral("connection = ?"), {filter.connection.value});
    if (!filter.queue.isEmpty())
        kept.add(QStringLiteral("queue = ?"), {filter.queue});
    Statement row = database.sql(
        QStringLiteral("SELECT sum(%1) FROM %2 WHERE %3")
            .arg(filter.status ? statusColumn(*filter.status)
                               : QStringLiteral("unresolved + retry_issued + resolved + archived + released + unknown"),
                 ofGroup ? QStringLiteral("group_count JOIN failure_group ON id = group_id")
                         : QStringLiteral("queue_count"),
                 kept.where));
    row.bindAll(kept.values);
    const Result<qint64> sum = oneNumber(row);
    if (!sum)
        return core::fail(sum.error());
    return *sum;
}

// Uses a kept count where there is one, otherwise counts the rows.
static Result<qint64> countOf(Database &database, const records::MessageFilter &filter)
{
    const Result<std::optional<qint64>> kept = keptCount(database, filter);
    if (!kept)
        return core::fail(kept.error());
    if (*kept)
        return **kept;
    const Result<FilterSql> sql = filterSql(database, filter);
    if (!sql)
        return core::fail(sql.error());
    Statement row = database.sql(QStringLiteral("SELECT count(*) FROM failed_message m WHERE ") + sql->where);
    row.bindAll(sql->values);
    return oneNumber(row);
}

static Result<QList<ListCursor>> walk(Database &database, const ListSql &sql)
{
    QList<ListCursor> found;
    Statement rows = database.sql(sql.text);
    rows.bindAll(sql.values);
    const Result<> read = rows.each([&] {
        QVariant key;
        if (!sql.byId)
            key = rows.value(1);
        found.append({key, core::MessageId{rows.integer(0)}});
    });
    if (!read)
        return core::fail(read.error());
    return found;
}

Result<api::MessagePage> readMessagePage(Database &database, const api::MessageQuery &query)
{
    const int limit = std::clamp(query.limit, 1, pageMost);
    const Result<ListSql> sql = listSql(database, query, limit + 1); // one more, to know whether there is a next page
    if (!sql)
        return core::fail(sql.error());
    Result<QList<ListCursor>> found = walk(database, *sql);
    if (!found)
        return core::fail(found.error());
    api::MessagePage page;
    if (found->size() > limit) {
        found->resize(limit);
        page.next = toText(found->constLast());
    }
    QList<core::MessageId> ids;
    for (const ListCursor &one : std::as_const(*found))
        ids.append(one.id);
    Result<QList<records::FailedMessage>> rows = readMessageRows(database, ids);
    if (!rows)
        return core::fail(rows.error());
    page.rows = std::move(*rows);
    const Result<qint64> total = countOf(database, query.filter);
    if (!total)
        return core::fail(total.error());
    page.total = *total;
    const Result<qint64> change = readChangeNumber(database);
    if (!change)
        return core::fail(change.error());
    page.change = *change;
    return page;
}

Result<api::MessageIds> readMessageIds(Database &database, const api::MessageQuery &query)
{
    api::MessageQuery whole = query;
    whole.after.clear();
    const Result<ListSql> sql = listSql(database, whole, std::nullopt);
    if (!sql)
        return core::fail(sql.error());
    api::MessageIds list;
    Statement rows = database.sql(sql->text);
    rows.bindAll(sql->values);
    const Result<> read = rows.each([&] { list.ids.append(core::MessageId{rows.integer(0)}); });
    if (!read)
        return core::fail(read.error());
    const Result<qint64> change = readChangeNumber(database);
    if (!change)
        return core::fail(change.error());
    list.change = *change;
    return list;
}

// Whether a message that the filter could match has another status, by the kept counts.
static Result<bool> holdsOthers(Database &database, const records::MessageFilter &filter)
{
    records::MessageFilter place;
    place.connection = filter.connection;
    place.queue = filter.queue;
    if (filter.groups.size() == 1)
        place.groups = filter.groups;
    const Result<qint64> all = countOf(database, place);
    if (!all)
        return core::fail(all.error());
    place.status = filter.status;
    const Result<qint64> own = countOf(database, place);
    if (!own)
        return core::fail(own.error());
    return *all > *own;
}

Result<api::OtherMatches> readOtherMatches(Database &database, const records::MessageFilter &filter)
{
    api::OtherMatches other;
    if (filter.search.isEmpty() || !filter.status)
        return other;
    const Result<bool> due = holdsOthers(database, filter);
    if (!due)
        return core::fail(due.error());
    if (!*due)
        return other;
    const Result<FilterSql> rest = filterSql(database, filter, WithStatus::No, Unindexed::LeaveOut);
    if (!rest)
        return core::fail(rest.error());
    FilterSql sql;
    sql.add(QStringLiteral("m.status <> ?"), {static_cast<int>(*filter.status)}); // first, because it costs least
    sql.add(rest->where, rest->values);
    Statement rows = database.sql(QStringLiteral("SELECT m.status FROM failed_message m WHERE ") + sql.where);
    rows.bindAll(sql.values);
    QMap<qint64, qint64> counts;
    const Result<> read = rows.each([&] { ++counts[rows.integer(0)]; });
    if (!read)
        return core::fail(read.error());
    for (const records::MessageStatus status : records::messageStatuses) {
        if (const qint64 count = counts.value(static_cast<int>(status)); count > 0)
            other.counts.append({status, count});
    }
    Statement row = database.sql(QStringLiteral("SELECT searched < last_message FROM store_meta"));
    const Result<qint64> behind = oneNumber(row);
    if (!behind)
        return core::fail(behind.error());
    other.atLeast = *behind != 0;
    return other;
}

Result<QList<records::FailedMessage>> readMessageRows(Database &database, const QList<core::MessageId> &ids)
{
    Statement rows =
        database.sql(QStringLiteral("SELECT %1 FROM json_each(?) j CROSS JOIN failed_message m ON m.id = j.value"
                                    " CROSS JOIN destination d ON d.id = m.destination")
                         .arg(messageColumns()));
    rows.bind(idList(ids));
    QList<records::FailedMessage> found;
    found.reserve(ids.size());
    const Result<> read = rows.each([&] { found.append(readMessage(rows)); });
    if (!read)
        return core::fail(read.error());
    return found;
}

Result<api::MessageDetail> readMessageDetail(Database &database, core::MessageId id)
{
    Result<records::FailedMessage> message = loadMessage(database, id);
    if (!message)
        return core::fail(message.error());
    Result<records::Envelope> envelope = loadEnvelope(database, id, core::limits::bodyPreviewBytes);
    if (!envelope)
        return core::fail(envelope.error());
    Result<QList<records::ProcessingAttempt>> attempts = readAttempts(database, id);
    if (!attempts)
        return core::fail(attempts.error());
    const Result<records::Expiry> expiry = readExpiry(database, id);
    if (!expiry)
        return core::fail(expiry.error());
    api::MessageDetail detail;
    detail.expiry = *expiry;
    detail.bodyComplete = message->bodySize <= core::limits::bodyPreviewBytes;
    detail.message = std::move(*message);
    detail.envelope = std::move(*envelope);
    detail.attempts = std::move(*attempts);
    return detail;
}

Result<QByteArray> readBody(Database &database, core::MessageId id)
{
    Statement row = database.sql(QStringLiteral("SELECT body FROM message_content WHERE message = ?"));
    const Result<bool> found = row.bind(id).step();
    if (!found)
        return core::fail(found.error());
    if (!*found)
        return core::fail(core::ErrorKind::NotFound, Text::tr("This message is not in the store."));
    return row.blob(0);
}

} // namespace store
