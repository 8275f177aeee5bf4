#include "backend/store/messages/retentionstore.h"

#include "backend/records/messages/message.h"
#include "backend/store/database/database.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/retryledger.h"

#include <QSet>

#include <array>

namespace store {

using core::TimePoint;
using records::MessageStatus;

namespace {

// No unfinished retry holds the message f, and none is in doubt about it: only a person ends a doubt.
const QString ofNoRetry =
    QStringLiteral(" AND NOT EXISTS (SELECT 1 FROM claim c WHERE c.message = f.id AND c.live = 1)"
                   " AND NOT EXISTS (SELECT 1 FROM retry_member m JOIN retry_operation o ON o.id = m.operation"
                   " WHERE m.message = f.id AND (o.finished IS NULL OR m.outcome = %1))")
        .arg(int(records::Outcome::InDoubt));

// Messages that are due by the index and still have the status. Values: status, since.
const QString dueMessages = QStringLiteral("FROM expiring e " SQL_USING_INDEX(
                                "expiring_since") " " SQL_JOIN_IN_ORDER " failed_message f ON f.id = e.message"
                                                  " WHERE e.status = ? AND e.since <= ? AND f.status = e.status")
                            + ofNoRetry;

} // namespace

RetentionStore::RetentionStore(Database &database, MessageStore &messages, RetryLedger &ledger)
    : m_database(database)
    , m_messages(messages)
    , m_ledger(ledger)
{
}

Result<records::RetentionPolicy> RetentionStore::retention()
{
    Statement row = m_database.sql(QStringLiteral("SELECT resolved, archived FROM keeping"));
    TRY(const bool found, row.step());
    return found ? records::RetentionPolicy{row.optionalSpan(0), row.optionalSpan(1)} : records::RetentionPolicy{};
}

Result<> RetentionStore::setRetention(const records::RetentionPolicy &retention)
{
    TRY(m_database.execute(QStringLiteral("UPDATE keeping SET resolved = ?, archived = ?"),
                           {Statement::toVariant(retention.resolved), Statement::toVariant(retention.archived)}));
    return {};
}

Result<bool> RetentionStore::hasToSweep()
{
    Statement row = m_database.sql(
        QStringLiteral("SELECT EXISTS (SELECT 1 FROM failed_message WHERE change > swept_change) FROM keeping"));
    TRY(const bool found, row.step());
    return found && row.integer(0) != 0;
}

Result<bool> RetentionStore::sweep(TimePoint now, int rows)
{
    qint64 last = 0;
    int seen = 0;
    {
        Statement changed = m_database.sql(
            QStringLiteral("SELECT max(change), count(*) FROM (SELECT change FROM failed_message " SQL_USING_INDEX(
                "message_change") " WHERE change > (SELECT swept_change FROM keeping) ORDER BY change LIMIT ?) c"));
        TRY(changed.bind(rows).step());
        last = changed.integer(0);
        seen = int(changed.integer(1));
    }
    if (seen == 0)
        return false;
    const QString range = QStringLiteral("change > (SELECT swept_change FROM keeping) AND change <= ?");
    const QString removable = sqlSet<MessageStatus>(records::mayBeRemoved);
    TRY(m_database.execute(QStringLiteral("INSERT INTO expiring (message, status, since) SELECT id, status, ?"
                                          " FROM failed_message " SQL_USING_INDEX(
                                              "message_change") " WHERE status IN %1 AND %2"
                                                                " ON CONFLICT (message) DO UPDATE SET"
                                                                " status = excluded.status, since = excluded.since")
                               .arg(removable, range),
                           {core::toMs(now), last}));
    TRY(m_database.execute(QStringLiteral("DELETE FROM expiring WHERE message IN (SELECT id FROM failed_message"
                                          " " SQL_USING_INDEX("message_change") " WHERE status NOT IN %1 AND %2)")
                               .arg(removable, range),
                           {last}));
    TRY(m_database.execute(QStringLiteral("UPDATE keeping SET swept_change = ?"), {last}));
    return seen == rows;
}

Result<RetentionCounts> RetentionStore::due(const records::RetentionPolicy &retention, TimePoint now)
{
    RetentionCounts counts;
    for (const auto &[status, after, count] :
         {std::tuple{MessageStatus::Resolved, retention.resolved, &counts.resolved},
          std::tuple{MessageStatus::Archived, retention.archived, &counts.archived}}) {
        if (!after)
            continue;
        Statement row = m_database.sql(QStringLiteral("SELECT count(*) ") + dueMessages);
        TRY(row.bind(status, now - *after).step());
        *count = row.integer(0);
    }
    return counts;
}

Result<QList<qint64>> RetentionStore::next(int status, std::optional<core::Milliseconds> after, TimePoint now, int rows)
{
    QList<qint64> ids;
    if (!after || rows <= 0)
        return ids;
    Statement found = m_database.sql(QStringLiteral("SELECT e.message ") + dueMessages + QStringLiteral(" LIMIT ?"));
    TRY(found.bind(status, now - *after, rows).each([&] { ids.append(found.integer(0)); }));
    return ids;
}

Result<RetentionCounts> RetentionStore::removeDue(const records::RetentionPolicy &retention, TimePoint now, int rows)
{
    TRY(const QList<qint64> resolved, next(int(MessageStatus::Resolved), retention.resolved, now, rows));
    const int left = rows - int(resolved.size());
    TRY(const QList<qint64> archived, next(int(MessageStatus::Archived), retention.archived, now, left));
    TRY(removeAll(resolved + archived));
    return RetentionCounts{resolved.size(), archived.size()};
}

Result<int> RetentionStore::removeOf(const QList<core::MessageId> &messages, MessageStatus status)
{
    if (!records::mayBeRemoved(status))
        return 0;
    QList<qint64> ids;
    {
        Statement found = m_database.sql(QStringLiteral("SELECT f.id FROM " SQL_LIST " j " SQL_JOIN_IN_ORDER
                                                        " failed_message f ON f.id = j.value"
                                                        " WHERE f.status = ?")
                                         + ofNoRetry);
        TRY(found.bind(listOf(messages), status).each([&] { ids.append(found.integer(0)); }));
    }
    return removeAll(ids);
}

Result<int> RetentionStore::removeAll(const QList<qint64> &messages)
{
    QSet<qint64> operations;
    for (const qint64 message : messages) {
        {
            Statement rows = m_database.sql(QStringLiteral("SELECT operation FROM retry_member WHERE message = ?"));
            TRY(rows.bind(message).each([&] { operations.insert(rows.integer(0)); }));
        }
        TRY(remove(message));
    }
    for (const qint64 operation : std::as_const(operations))
        TRY(removeEmpty(operation));
    return int(messages.size());
}

// A person's retries are kept for ever. A policy begins hundreds a day, so each goes with the last of its messages.
Result<> RetentionStore::removeEmpty(qint64 operation)
{
    {
        Statement over = m_database.sql(
            QStringLiteral("SELECT 1 FROM retry_operation WHERE id = ? AND policy <> '' AND settled = 1 AND NOT EXISTS"
                           " (SELECT 1 FROM retry_member WHERE operation = retry_operation.id)"));
        TRY(const bool isOver, over.bind(operation).step());
        if (!isOver)
            return {};
    }
    TRY(m_ledger.forget(core::OperationId{operation}));
    for (const char *table : {"operation_source", "operation_group", "operation_mark", "operation_edit",
                              "operation_convention", "run_sample"})
        TRY(m_database.execute(QStringLiteral("DELETE FROM %1 WHERE operation = ?").arg(QLatin1String(table)),
                               {operation}));
    TRY(m_database.execute(QStringLiteral("DELETE FROM retry_operation WHERE id = ?"), {operation}));
    return {};
}

Result<> RetentionStore::remove(qint64 message)
{
    TRY(m_ledger.forget(core::MessageId{message}));
    TRY(m_database.execute(QStringLiteral("DELETE FROM expiring WHERE message = ?"), {message}));
    return m_messages.remove(core::MessageId{message});
}

} // namespace store
