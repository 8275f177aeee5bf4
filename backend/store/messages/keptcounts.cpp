#include "backend/store/messages/keptcounts.h"

#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/retry/retrysql.h"
#include "backend/store/search/filtersql.h"

namespace store {

using core::Result;
using records::MessageFilter;

namespace {

QString columnOf(const std::optional<records::MessageStatus> &status)
{
    if (!status)
        return QStringLiteral("unresolved + retry_issued + resolved + archived + released + unknown");
    switch (*status) {
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

Result<qint64> oneCount(Statement row)
{
    TRY(const bool found, row.step());
    return found ? row.integer(0) : 0;
}

// Groups of two classifiers share members, which would count twice.
Result<bool> isOfOneClassifier(Database &database, const QList<core::GroupId> &groups)
{
    if (groups.size() < 2)
        return true;
    Statement row = database.sql(
        QStringLiteral("SELECT count(DISTINCT classifier) FROM failure_group WHERE id IN " SQL_LIST_VALUES));
    row.bind(listOf(groups));
    TRY(const qint64 classifiers, oneCount(std::move(row)));
    return classifiers <= 1;
}

// Those of `messages` that the filter names.
Result<qint64> countAmong(Database &database, const MessageFilter &filter, const QList<core::MessageId> &messages)
{
    TRY(const FilterSql sql, filterSql(database, filter));
    Statement row = database.sql(QStringLiteral("SELECT count(DISTINCT m.id) FROM " SQL_LIST " j " SQL_JOIN_IN_ORDER
                                                " failed_message m ON m.id = j.value WHERE ")
                                 + sql.where);
    row.bind(listOf(messages)).bindAll(sql.values);
    return oneCount(std::move(row));
}

} // namespace

Result<std::optional<qint64>> keptCount(Database &database, const MessageFilter &filter)
{
    MessageFilter counted; // what the counts can tell apart
    counted.connection = filter.connection;
    counted.queue = filter.queue;
    counted.status = filter.status;
    counted.groups = filter.groups;
    MessageFilter without = filter;
    without.except.clear();
    if (without != counted)
        return std::nullopt;
    TRY(const bool isOne, isOfOneClassifier(database, counted.groups));
    if (!isOne)
        return std::nullopt;
    FilterSql kept;
    kept.add(QStringLiteral("TRUE"));
    if (!counted.groups.isEmpty())
        kept.add(QStringLiteral("group_id IN " SQL_LIST_VALUES), {listOf(counted.groups)});
    if (counted.connection.isValid())
        kept.add(QStringLiteral("connection = ?"), {counted.connection.value});
    if (!counted.queue.isEmpty())
        kept.add(QStringLiteral("queue = ?"), {counted.queue});
    Statement row = database.sql(QStringLiteral("SELECT sum(%1) FROM %2 WHERE %3")
                                     .arg(columnOf(counted.status),
                                          counted.groups.isEmpty()
                                              ? QStringLiteral("queue_count")
                                              : QStringLiteral("group_count JOIN failure_group ON id = group_id"),
                                          kept.where));
    row.bindAll(kept.values);
    TRY(qint64 count, oneCount(std::move(row)));
    if (!filter.except.isEmpty()) {
        TRY(const qint64 leftOut, countAmong(database, counted, filter.except));
        count -= leftOut;
    }
    return count;
}

} // namespace store
