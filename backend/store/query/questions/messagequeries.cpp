#include "backend/store/query/questions/messagequeries.h"

#include "backend/api/requests/queries.h"
#include "backend/core/limits.h"
#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/messages/expiries.h"
#include "backend/store/messages/keptcounts.h"
#include "backend/store/messages/messagerow.h"
#include "backend/store/query/listsql.h"
#include "backend/store/query/querytable.h"
#include "backend/store/query/questions/policyqueries.h"
#include "backend/store/query/questions/retryqueries.h"
#include "backend/store/retry/retrysql.h"
#include "backend/store/search/filtersql.h"
#include "backend/store/text.h"

#include <QMap>

#include <algorithm>

namespace store {

using core::Result;

static constexpr int pageMost = 10'000;

static Result<qint64> oneNumber(Statement &row)
{
    TRY(const bool found, row.step());
    return found ? row.integer(0) : 0;
}

Result<qint64> readChangeNumber(Database &database)
{
    Statement row = database.sql(QStringLiteral("SELECT change FROM store_meta"));
    return oneNumber(row);
}

// Uses a kept count where there is one, otherwise counts the rows.
static Result<qint64> countOf(Database &database, const records::MessageFilter &filter)
{
    TRY(const std::optional<qint64> kept, keptCount(database, filter));
    if (kept)
        return *kept;
    TRY(const FilterSql sql, filterSql(database, filter));
    Statement row = database.sql(QStringLiteral("SELECT count(*) FROM failed_message m WHERE ") + sql.where);
    row.bindAll(sql.values);
    return oneNumber(row);
}

static Result<QList<ListCursor>> walk(Database &database, const ListSql &sql)
{
    QList<ListCursor> found;
    Statement rows = database.sql(sql.text);
    rows.bindAll(sql.values);
    TRY(rows.each([&] {
        QVariant key;
        if (!sql.byId)
            key = rows.value(1);
        found.append({key, core::MessageId{rows.integer(0)}});
    }));
    return found;
}

static Result<QList<records::FailedMessage>> readMessageRows(Database &database, const QList<core::MessageId> &ids)
{
    Statement rows = database.sql(QStringLiteral("SELECT %1 FROM " SQL_LIST " j " SQL_JOIN_IN_ORDER
                                                 " failed_message m ON m.id = j.value"
                                                 " " SQL_JOIN_IN_ORDER " destination d ON d.id = m.destination ORDER BY j.key")
                                      .arg(messageColumns()));
    rows.bind(listOf(ids));
    QList<records::FailedMessage> found;
    found.reserve(ids.size());
    TRY(rows.each([&] { found.append(readMessage(rows)); }));
    return found;
}

// Nothing: the page does not wait for it.
static Result<std::optional<qint64>> totalOf(Database &database, const api::MessageQuery &query,
                                             const api::MessagePage &page)
{
    if (query.after.isEmpty() && page.next.isEmpty())
        return page.rows.size(); // this page is all
    if (query.countLater)
        return keptCount(database, query.filter);
    TRY(const qint64 counted, countOf(database, query.filter));
    return counted;
}

static Result<api::MessagePage> readMessagePage(Database &database, const api::MessageQuery &query)
{
    const int limit = std::clamp(query.limit, 1, pageMost);
    TRY(const ListSql sql, listSql(database, query, limit + 1)); // one more, to know whether there is a next page
    TRY(QList<ListCursor> found, walk(database, sql));
    api::MessagePage page;
    if (found.size() > limit) {
        found.resize(limit);
        page.next = toText(found.constLast());
    }
    QList<core::MessageId> ids;
    for (const ListCursor &one : std::as_const(found))
        ids.append(one.id);
    TRY(page.rows, readMessageRows(database, ids));
    TRY(const std::optional<qint64> total, totalOf(database, query, page));
    page.isCounted = total.has_value();
    page.total = total.value_or(0);
    TRY(page.change, readChangeNumber(database));
    return page;
}

static Result<api::MessageIds> readMessageIds(Database &database, const api::MessageQuery &query)
{
    api::MessageQuery whole = query;
    whole.after.clear();
    TRY(const ListSql sql, listSql(database, whole, std::nullopt));
    api::MessageIds list;
    Statement rows = database.sql(sql.text);
    rows.bindAll(sql.values);
    TRY(rows.each([&] { list.ids.append(core::MessageId{rows.integer(0)}); }));
    TRY(list.change, readChangeNumber(database));
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
    TRY(const qint64 all, countOf(database, place));
    place.status = filter.status;
    TRY(const qint64 own, countOf(database, place));
    return all > own;
}

static Result<api::OtherMatches> readOtherMatches(Database &database, const records::MessageFilter &filter)
{
    api::OtherMatches other;
    if (filter.search.isEmpty() || !filter.status)
        return other;
    TRY(const bool due, holdsOthers(database, filter));
    if (!due)
        return other;
    TRY(const FilterSql rest, filterSql(database, filter, WithStatus::No, Unindexed::LeaveOut));
    FilterSql sql;
    sql.add(QStringLiteral("m.status <> ?"), {static_cast<int>(*filter.status)}); // first, because it costs least
    sql.add(rest.where, rest.values);
    Statement rows = database.sql(QStringLiteral("SELECT m.status FROM failed_message m WHERE ") + sql.where);
    rows.bindAll(sql.values);
    QMap<qint64, qint64> counts;
    TRY(rows.each([&] { ++counts[rows.integer(0)]; }));
    for (const records::MessageStatus status : records::messageStatuses) {
        if (const qint64 count = counts.value(static_cast<int>(status)); count > 0)
            other.counts.append({status, count});
    }
    Statement row = database.sql(QStringLiteral("SELECT searched < last_message FROM store_meta"));
    TRY(const qint64 behind, oneNumber(row));
    other.atLeast = behind != 0;
    return other;
}

static Result<api::MessageDetail> readMessageDetail(Database &database, core::MessageId id, core::TimePoint now)
{
    TRY(records::FailedMessage message, loadMessage(database, id));
    TRY(records::Envelope envelope, loadEnvelope(database, id, core::limits::bodyPreviewBytes));
    TRY(QList<records::ProcessingAttempt> attempts, readAttempts(database, id));
    TRY(const records::Expiry expiry, readExpiry(database, id));
    api::MessageDetail detail;
    detail.expiry = expiry;
    detail.bodyComplete = message.bodySize <= core::limits::bodyPreviewBytes;
    detail.message = std::move(message);
    detail.envelope = std::move(envelope);
    detail.attempts = std::move(attempts);
    TRY(detail.trail, readTrail(database, detail));
    TRY(detail.policy, readPolicyStanding(database, id, now));
    return detail;
}

static Result<QByteArray> readBody(Database &database, core::MessageId id)
{
    Statement row = database.sql(QStringLiteral("SELECT body FROM message_content WHERE message = ?"));
    TRY(const bool found, row.bind(id).step());
    if (!found)
        return core::fail(core::ErrorKind::NotFound, Text::tr("This message is not in the store."));
    return row.blob(0);
}

void addMessageQueries(QueryTable &table)
{
    // A first page in an indexed order takes milliseconds; a search may take long.
    const auto laneOfList = [](const api::MessageQuery &query) {
        return query.filter.search.isEmpty() ? QueryLane::Visible : QueryLane::Searching;
    };
    table.on<api::MessageQuery>(laneOfList, [](QueryContext &context, const api::MessageQuery &query) {
        return readMessagePage(context.database, query);
    });
    table.on<api::MessageIdQuery>(QueryLane::Searching, [](QueryContext &context, const api::MessageIdQuery &query) {
        return readMessageIds(context.database, query.list);
    });
    table.on<api::MessageCountQuery>(QueryLane::Searching,
                                     [](QueryContext &context, const api::MessageCountQuery &query) {
                                         return countOf(context.database, query.list.filter);
                                     });
    // Costs no more than the list: one pass over the hits of the indexes, or none if no other status has messages.
    table.on<api::OtherMatchesQuery>(QueryLane::Searching,
                                     [](QueryContext &context, const api::OtherMatchesQuery &query) {
                                         return readOtherMatches(context.database, query.list.filter);
                                     });
    table.on<api::MessageRowQuery>(QueryLane::Visible, [](QueryContext &context, const api::MessageRowQuery &query) {
        return readMessageRows(context.database, query.messages);
    });
    table.on<api::MessageDetailQuery>(QueryLane::Visible,
                                      [](QueryContext &context, const api::MessageDetailQuery &query) {
                                          return readMessageDetail(context.database, query.message, context.now);
                                      });
    table.on<api::BodyQuery>(QueryLane::Visible, [](QueryContext &context, const api::BodyQuery &query) {
        return readBody(context.database, query.message);
    });
}

} // namespace store
