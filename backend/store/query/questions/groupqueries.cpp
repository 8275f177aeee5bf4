#include "backend/store/query/questions/groupqueries.h"

#include "backend/api/requests/queries.h"
#include "backend/core/limits.h"
#include "backend/records/messages/grouptitles.h"
#include "backend/store/database/database.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/messages/groupmarksql.h"
#include "backend/store/query/querytable.h"
#include "backend/store/query/questions/expiryqueries.h"
#include "backend/store/query/questions/groupplaces.h"
#include "backend/store/query/questions/messagequeries.h"
#include "backend/store/query/questions/policyqueries.h"
#include "backend/store/query/questions/retryqueries.h"
#include "backend/store/search/searchfunction.h"

#include <algorithm>
#include <iterator>

namespace store {

using core::Result;

static constexpr int sparkSteps = 12;
static constexpr core::Milliseconds sparkStep = std::chrono::minutes(5);

static QString countColumn(records::MessageStatus status)
{
    switch (status) {
    case records::MessageStatus::Unresolved:
        return QStringLiteral("c.unresolved");
    case records::MessageStatus::RetryIssued:
        return QStringLiteral("c.retry_issued");
    case records::MessageStatus::Resolved:
        return QStringLiteral("c.resolved");
    case records::MessageStatus::Archived:
        return QStringLiteral("c.archived");
    case records::MessageStatus::Released:
        return QStringLiteral("c.released");
    case records::MessageStatus::Unknown:
        return QStringLiteral("c.unknown");
    }
    Q_UNREACHABLE();
}

// The last of the twelve steps contains `now`, and all steps begin at full five minutes. So the picture moves once in
// five minutes, and a failure stays in its step.
static core::TimePoint sparkStart(core::TimePoint now)
{
    const qint64 step = sparkStep.count();
    return core::fromMs((core::toMs(now) / step + 1 - sparkSteps) * step);
}

static core::TimePoint sparkEnd(core::TimePoint now)
{
    return sparkStart(now) + sparkSteps * sparkStep;
}

// The members of a group that failed in the time of the sparkline, by their index alone. `group`: an SQL expression.
static QString recentSql(records::Classifier classifier, const QString &group)
{
    return QStringLiteral(
               "failed_message m " SQL_USING_INDEX("message_group%1_failed") " %4 m.group%1 = %3 AND m.status"
                                                                             " IN %2 AND m.last_failed >= ?"
                                                                             " AND m.last_failed < ?")
        .arg(QString::number(int(classifier)), sqlSet<records::MessageStatus>([](auto) { return true; }), group);
}

// One row for each group with messages of the status.
static QString groupsSql(const api::GroupQuery &query, core::TimePoint now, QVariantList &values)
{
    QString where = QStringLiteral("g.classifier = ?");
    values += {core::toMs(now), static_cast<int>(query.classifier)};
    if (query.connection.isValid()) {
        where += QStringLiteral(" AND g.connection = ?");
        values += query.connection.value;
    }
    if (!query.queue.isEmpty()) {
        where += QStringLiteral(" AND c.queue = ?");
        values += query.queue;
    }
    if (!query.titleFilter.isEmpty()) {
        where += QStringLiteral(" AND (redrive_contains(g.title, ?) OR redrive_contains(coalesce(k.note, ''), ?))");
        values += {foldCase(query.titleFilter), foldCase(query.titleFilter)};
    }
    if (query.muted != api::GroupQuery::Muted::Any)
        where += (query.muted == api::GroupQuery::Muted::Only ? QStringLiteral(" AND ") : QStringLiteral(" AND NOT "))
                 + GroupMarkSql::isMuted();
    // The whole group, as it was counted when it was muted, even if the list is limited to a queue.
    const QString unresolved = QStringLiteral("(SELECT sum(unresolved) FROM group_count WHERE group_id = g.id)");
    return QStringLiteral("SELECT g.id AS id, g.connection AS connection, g.title AS title, sum(%1) AS count,"
                          " sum(c.retry_issued) AS in_retry, sum(c.came_back) AS came_back,"
                          " sum(c.looked_at) AS looked_at, min(c.first_failed) AS first,"
                          " max(c.last_failed) AS last, %3 AS quiet, %4"
                          " FROM (SELECT ? AS now) t " SQL_JOIN_IN_ORDER " failure_group g ON TRUE " SQL_JOIN_IN_ORDER
                          " group_count c ON c.group_id = g.id"
                          " LEFT JOIN group_mark k ON k.group_id = g.id WHERE %2 GROUP BY g.id, k.group_id, t.now "
                          "HAVING sum(%1) > 0")
        .arg(countColumn(query.status), where, GroupMarkSql::isQuiet(unresolved), GroupMarkSql::columns(unresolved));
}

static Result<> readGroupTotals(Database &database, const api::GroupQuery &query, core::TimePoint now,
                                api::GroupPage &page)
{
    QVariantList values;
    Statement row =
        database.sql(QStringLiteral("SELECT count(*), sum(count) FROM (%1) l").arg(groupsSql(query, now, values)));
    TRY(row.bindAll(values).step());
    page.total = row.integer(0);
    page.messages = row.integer(1);
    return {};
}

// Failures per five minutes of the last hour.
static Result<> addSparklines(Database &database, records::Classifier classifier, core::TimePoint now,
                              QList<api::GroupRow> &groups)
{
    const QHash<core::GroupId, qsizetype> places = placesOf(groups);
    for (api::GroupRow &group : groups)
        group.lastHour = QList<int>(sparkSteps, 0);
    Statement rows = database.sql(QStringLiteral("SELECT l.value, (m.last_failed - ?) / ?, count(*) FROM " SQL_LIST
                                                 " l " SQL_JOIN_IN_ORDER " %1 GROUP BY 1, 2")
                                      .arg(recentSql(classifier, QStringLiteral("l.value")).arg(QStringLiteral("ON"))));
    rows.bind(sparkStart(now), static_cast<qint64>(sparkStep.count()), listOf(places.keys()), sparkStart(now),
              sparkEnd(now));
    return rows.each([&] {
        api::GroupRow &group = groups[places.value(core::GroupId{rows.integer(0)})];
        const qint64 step = std::clamp<qint64>(rows.integer(1), 0, sparkSteps - 1);
        group.lastHour[step] = static_cast<int>(rows.integer(2));
    });
}

// The text of the newest failure, for groups whose title does not say what happened.
static Result<> addExamples(Database &database, const api::GroupQuery &query, QList<api::GroupRow> &groups)
{
    QList<api::GroupRow> asked;
    std::copy_if(groups.cbegin(), groups.cend(), std::back_inserter(asked),
                 [](const api::GroupRow &group) { return group.title.endsWith(records::noStackEnding); });
    if (query.classifier != records::Classifier::ExceptionAndStack || asked.isEmpty())
        return {};
    const QHash<core::GroupId, qsizetype> places = placesOf(groups);
    Statement rows = database.sql(
        QStringLiteral("SELECT l.value, (SELECT m.exception_message FROM failed_message m " SQL_USING_INDEX(
            "message_group0_failed") " WHERE m.group0 = l.value AND m.status = ? ORDER BY m.last_failed DESC LIMIT 1)"
                                     " FROM " SQL_LIST " l"));
    rows.bind(query.status, listOf(placesOf(asked).keys()));
    return rows.each([&] { groups[places.value(core::GroupId{rows.integer(0)})].example = rows.text(1); });
}

static QString orderColumn(api::GroupQuery::Order order)
{
    switch (order) {
    case api::GroupQuery::Order::Count:
        return QStringLiteral("count");
    case api::GroupQuery::Order::Title:
        return QStringLiteral("title " SQL_IGNORING_CASE);
    case api::GroupQuery::Order::FirstFailed:
        return QStringLiteral("first");
    case api::GroupQuery::Order::LastFailed:
        return QStringLiteral("last");
    case api::GroupQuery::Order::LastHour:
        return QStringLiteral("recent");
    }
    Q_UNREACHABLE();
}

// Only this order needs to know of every group what failed in the last hour.
static QString withRecent(const api::GroupQuery &query, core::TimePoint now, const QString &groups,
                          QVariantList &values)
{
    if (query.order != api::GroupQuery::Order::LastHour)
        return groups;
    values = QVariantList{core::toMs(sparkStart(now)), core::toMs(sparkEnd(now))} + values;
    return QStringLiteral("SELECT p.*, (SELECT count(*) FROM %1) AS recent FROM (%2) p")
        .arg(recentSql(query.classifier, QStringLiteral("p.id")).arg(QStringLiteral("WHERE")), groups);
}

static Result<> readGroupRows(Database &database, const api::GroupQuery &query, core::TimePoint now,
                              api::GroupPage &page)
{
    QVariantList values;
    const QString groups = groupsSql(query, now, values);
    const bool rises = query.direction == records::SortDirection::Ascending;
    Statement rows =
        database.sql(withRecent(query, now, groups, values)
                     + QStringLiteral(" ORDER BY quiet, %1 %2, title, id LIMIT ? OFFSET ?")
                           .arg(orderColumn(query.order), rises ? QStringLiteral("ASC") : QStringLiteral("DESC")));
    rows.bindAll(values).bind(std::clamp(query.limit, 0, core::limits::groupsInSnapshot), std::max(query.offset, 0));
    return rows.each([&] {
        api::GroupRow group;
        group.id = core::GroupId{rows.integer(0)};
        group.connection = core::ConnectionId{rows.integer(1)};
        group.title = rows.text(2);
        group.count = rows.integer(3);
        group.inRetry = rows.integer(4);
        group.cameBack = rows.integer(5);
        group.browsedOnly = rows.integer(6);
        group.firstFailed = rows.time(7);
        group.lastFailed = rows.time(8);
        group.marks = GroupMarkSql::read(rows, 10);
        page.rows.append(group);
    });
}

// Uses the kept counts. Groups without a message of the status are left out. `now`: where the sparkline ends. Each
// statement serves the whole page, because a page has up to 500 rows.
static Result<api::GroupPage> readGroups(Database &database, const api::GroupQuery &query, core::TimePoint now)
{
    api::GroupPage page;
    TRY(readGroupRows(database, query, now, page));
    TRY(readGroupTotals(database, query, now, page));
    TRY(addPolicies(database, query.classifier, page.rows));
    TRY(addSparklines(database, query.classifier, now, page.rows));
    TRY(addNewestOperations(database, page.rows));
    TRY(addLosses(database, query.classifier, now, page.rows));
    TRY(addExamples(database, query, page.rows));
    TRY(page.change, readChangeNumber(database));
    return page;
}

void addGroupQueries(QueryTable &table)
{
    table.on<api::GroupQuery>(QueryLane::Visible, [](QueryContext &context, const api::GroupQuery &query) {
        return readGroups(context.database, query, context.now);
    });
}

} // namespace store
