#include "backend/store/query/questions/expiryqueries.h"

#include "backend/api/requests/expiry.h"
#include "backend/core/limits.h"
#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/query/querytable.h"
#include "backend/store/query/questions/groupplaces.h"
#include "backend/store/query/questions/messagequeries.h"
#include "backend/store/search/filtersql.h"

#include <algorithm>

namespace store {

using core::Result;
using records::Expiry;

namespace {

Result<FilterSql> placeOf(Database &database, const api::ExpiryQuery &query)
{
    records::MessageFilter filter;
    filter.connection = query.connection;
    filter.queue = query.queue;
    if (query.group.isValid())
        filter.groups = {query.group};
    return filterSql(database, filter);
}

// Uses the index of expiry times: the message that expires first comes first.
QString datedSql(const QString &what, const QString &where, const api::ExpiryQuery &query)
{
    const QString until = query.until ? QStringLiteral(" AND e.at < ?") : QString();
    return QStringLiteral("SELECT %1 FROM message_expiry e " SQL_JOIN_IN_ORDER " failed_message m ON m.id = e.message"
                          " LEFT JOIN failure_group g ON g.id = m.group0 WHERE e.at IS NOT NULL%2 AND %3")
        .arg(what, until, where);
}

Statement dated(Database &database, const QString &sql, const FilterSql &place, const api::ExpiryQuery &query)
{
    Statement statement = database.sql(sql);
    if (query.until)
        statement.bind(*query.until);
    statement.bindAll(place.values);
    return statement;
}

Result<> readExpiryRows(Database &database, const FilterSql &place, const api::ExpiryQuery &query,
                        api::ExpiryPage &page)
{
    const QString columns = QStringLiteral("m.id, m.connection, m.queue, m.message_type, g.id, g.title, e.known, e.at");
    Statement rows = dated(
        database, datedSql(columns, place.where, query) + QStringLiteral(" ORDER BY e.at, m.id LIMIT ?"), place, query);
    rows.bind(std::clamp(query.limit, 0, core::limits::groupsInSnapshot));
    return rows.each([&] {
        api::ExpiringRow row;
        row.message = core::MessageId{rows.integer(0)};
        row.connection = core::ConnectionId{rows.integer(1)};
        row.queue = rows.text(2);
        row.messageType = rows.text(3);
        row.group = core::GroupId{rows.integer(4)};
        row.cause = rows.text(5);
        row.expiry = Expiry{rows.as<Expiry::Known>(6), rows.time(7)};
        page.rows.append(row);
    });
}

Result<> readExpiryTotals(Database &database, const FilterSql &place, const api::ExpiryQuery &query,
                          api::ExpiryPage &page)
{
    Statement total = dated(database, datedSql(QStringLiteral("count(*)"), place.where, query), place, query);
    TRY(total.step());
    page.total = total.integer(0);
    Statement others =
        database.sql(QStringLiteral("SELECT count(e.known), count(*) - count(e.known) FROM failed_message m"
                                    " LEFT JOIN message_expiry e ON e.message = m.id"
                                    " WHERE m.status = ? AND m.flags & ? <> 0 AND e.at IS NULL AND %1")
                         .arg(place.where));
    TRY(others.bind(records::MessageStatus::Unresolved, int(records::MessageFlag::BrowsedOnly))
            .bindAll(place.values)
            .step());
    page.never = others.integer(0);
    page.notKnown = others.integer(1);
    return {};
}

} // namespace

static Result<api::ExpiryPage> readExpiring(Database &database, const api::ExpiryQuery &query)
{
    TRY(const FilterSql place, placeOf(database, query));
    api::ExpiryPage page;
    TRY(readExpiryRows(database, place, query, page));
    TRY(readExpiryTotals(database, place, query, page));
    TRY(page.change, readChangeNumber(database));
    return page;
}

Result<> addLosses(Database &database, records::Classifier classifier, core::TimePoint now,
                   QList<api::GroupRow> &groups)
{
    const QHash<core::GroupId, qsizetype> places = placesOf(groups);
    QList<core::GroupId> browsed;
    for (const api::GroupRow &group : std::as_const(groups)) {
        if (group.browsedOnly > 0)
            browsed.append(group.id);
    }
    if (browsed.isEmpty())
        return {};
    Statement rows = database.sql(
        QStringLiteral("SELECT m.group%1, min(e.at), count(CASE WHEN e.at <= ? THEN 1 END) FROM message_expiry e"
                       " " SQL_JOIN_IN_ORDER " failed_message m ON m.id = e.message WHERE e.at > ? AND m.group%1 IN"
                       " " SQL_LIST_VALUES " GROUP BY 1")
            .arg(static_cast<int>(classifier)));
    rows.bind(now + records::QueueLoss::soonIs, now, listOf(browsed));
    return rows.each([&] {
        api::GroupRow &group = groups[places.value(core::GroupId{rows.integer(0)})];
        group.firstLost = rows.optionalTime(1);
        group.lostSoon = rows.integer(2);
    });
}

void addExpiryQueries(QueryTable &table)
{
    table.on<api::ExpiryQuery>(QueryLane::Visible, [](QueryContext &context, const api::ExpiryQuery &query) {
        return readExpiring(context.database, query);
    });
}

} // namespace store
