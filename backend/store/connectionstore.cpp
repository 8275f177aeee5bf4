#include "backend/store/connectionstore.h"

#include "backend/records/intake.h"
#include "backend/records/retries/retry.h"
#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/database/textlist.h"
#include "backend/store/database/transactioncounters.h"
#include "backend/store/retry/retryledger.h"
#include "backend/store/search/textindex.h"
#include "backend/store/text.h"

namespace store {

using core::ErrorKind;

ConnectionStore::ConnectionStore(Database &database, TransactionCounters &counters, RetryLedger &ledger)
    : m_database(database)
    , m_ledger(ledger)
    , m_counters(counters)
{
}

static Statement &bindFields(Statement &statement, const records::Connection &connection)
{
    return statement.bind(connection.name, connection.kind,
                          connection.url.toString(QUrl::RemovePassword | QUrl::FullyEncoded), connection.environment,
                          connection.rights.toInt(), toCbor(connection.errorQueues), connection.doublesAllowed,
                          connection.caFile);
}

static core::Error named(core::Error error, const QString &name)
{
    if (error.kind == ErrorKind::Conflict)
        error.message = Text::tr("A connection named %1 already exists. Choose another name.").arg(name);
    return error;
}

Result<core::ConnectionId> ConnectionStore::add(const records::Connection &connection)
{
    Statement insert =
        m_database.sql(QStringLiteral("INSERT INTO connection (name, kind, url, environment, rights, error_queues,"
                                      " doubles_allowed, ca_file)"
                                      " VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"));
    const Result<bool> row = bindFields(insert, connection).step();
    if (!row)
        return core::fail(named(row.error(), connection.name));
    return core::ConnectionId{insert.integer(0)};
}

Result<> ConnectionStore::update(const records::Connection &connection)
{
    TRY(const QList<records::Connection> known, all());
    for (const records::Connection &before : known) {
        if (before.id == connection.id)
            TRY(answerFound(connection.id, before.errorQueues + connection.errorQueues));
    }
    Statement update =
        m_database.sql(QStringLiteral("UPDATE connection SET name = ?, kind = ?, url = ?, environment = ?,"
                                      " rights = ?, error_queues = ?, doubles_allowed = ?,"
                                      " ca_file = ? WHERE id = ?"));
    const Result<int> changed = bindFields(update, connection).bind(connection.id).run();
    if (!changed)
        return core::fail(named(changed.error(), connection.name));
    if (*changed == 0)
        return core::fail(ErrorKind::NotFound, Text::tr("This connection was removed."));
    return {};
}

Result<records::ConnectionUse> ConnectionStore::useOf(core::ConnectionId id)
{
    Statement count = m_database.sql(QStringLiteral(
        "SELECT (SELECT count(*) FROM retry_operation WHERE connection = ? AND finished IS NULL),"
        " (SELECT coalesce(sum(unresolved - looked_at), 0) FROM queue_count WHERE connection = ?),"
        " (SELECT count(*) FROM failed_message WHERE connection = ? AND status = ?),"
        " (SELECT coalesce(sum(unknown), 0) FROM queue_count WHERE connection = ?),"
        " (SELECT coalesce(sum(in_doubt), 0) FROM retry_operation WHERE connection = ? AND in_doubt > 0),"
        " (SELECT count(*) FROM intake_run WHERE connection = ? AND state NOT IN (?, ?))"));
    TRY(count
            .bind(id, id, id, records::MessageStatus::Archived, id, id, id, records::IntakeState::Done,
                  records::IntakeState::Interrupted)
            .step());
    return records::ConnectionUse{count.integer(0), count.integer(1), count.integer(2),
                                  count.integer(3), count.integer(4), count.integer(5)};
}

Result<> ConnectionStore::remove(core::ConnectionId id)
{
    {
        TRY(const records::ConnectionUse use, useOf(id));
        if (const QString why = records::whyNotRemoved(use); !why.isEmpty())
            return core::fail(ErrorKind::Conflict, why);
    }
    const QString mine = QStringLiteral("(SELECT id FROM failed_message WHERE connection = ?)");
    TRY(TextIndex(m_database).forgetAll(id));
    const QString operations = QStringLiteral("(SELECT id FROM retry_operation WHERE connection = ?)");
    TRY(m_ledger.forget(id));
    const QStringList statements{
        QStringLiteral("DELETE FROM operation_source WHERE operation IN ") + operations,
        QStringLiteral("DELETE FROM operation_group WHERE operation IN ") + operations,
        QStringLiteral("DELETE FROM operation_mark WHERE operation IN ") + operations,
        QStringLiteral("DELETE FROM operation_edit WHERE operation IN ") + operations,
        QStringLiteral("DELETE FROM operation_convention WHERE operation IN ") + operations,
        QStringLiteral("DELETE FROM run_sample WHERE operation IN ") + operations,
        QStringLiteral("DELETE FROM retry_operation WHERE connection = ?"),
        QStringLiteral("DELETE FROM message_content WHERE message IN ") + mine,
        QStringLiteral("DELETE FROM message_expiry WHERE message IN ") + mine,
        QStringLiteral("DELETE FROM message_decision WHERE message IN ") + mine,
        QStringLiteral("DELETE FROM message_convention WHERE message IN ") + mine,
        QStringLiteral("DELETE FROM message_import WHERE message IN ") + mine,
        QStringLiteral("DELETE FROM policy_message WHERE message IN ") + mine,
        QStringLiteral("DELETE FROM policy_assignment WHERE connection = ?"),
        QStringLiteral("DELETE FROM processing_attempt WHERE id / 10 IN ") + mine,
        QStringLiteral("DELETE FROM expiring WHERE message IN ") + mine,
        QStringLiteral("DELETE FROM failed_message WHERE connection = ?"),
        QStringLiteral("DELETE FROM group_count WHERE group_id IN (SELECT id FROM failure_group WHERE connection = ?)"),
        QStringLiteral("DELETE FROM failure_group WHERE connection = ?"),
        QStringLiteral("DELETE FROM group_mark WHERE connection = ?"),
        QStringLiteral("DELETE FROM queue_count WHERE connection = ?"),
        QStringLiteral("DELETE FROM intake_step WHERE run IN (SELECT id FROM intake_run WHERE connection = ?)"),
        QStringLiteral("DELETE FROM intake_run WHERE connection = ?"),
        QStringLiteral("DELETE FROM followed_queue WHERE connection = ?"),
        QStringLiteral("DELETE FROM deliveries_used WHERE connection = ?"),
        QStringLiteral("DELETE FROM found_queue WHERE connection = ?"),
        QStringLiteral("DELETE FROM redirect WHERE connection = ?"),
        QStringLiteral("DELETE FROM watched_queue WHERE connection = ?"),
        QStringLiteral("DELETE FROM quiet_rule WHERE connection = ?"),
        QStringLiteral("DELETE FROM connection WHERE id = ?"),
    };
    int gone = 0;
    for (const QString &text : statements) {
        TRY(gone, m_database.sql(text).bind(id).run());
    }
    m_counters.groups().forgetKnown();
    if (gone == 0)
        return core::fail(ErrorKind::NotFound, Text::tr("This connection was already removed."));
    return {};
}

Result<QList<records::Connection>> ConnectionStore::all()
{
    return allConnections(m_database);
}

// Starts from running operations: they have few messages compared with a queue.
Result<qint64> ConnectionStore::inRetryFrom(core::ConnectionId id, const QString &queue)
{
    Statement rows = m_database.sql(
        QStringLiteral("SELECT count(*) FROM failed_message f WHERE f.connection = ? AND f.queue = ? AND f.id IN ("
                       "SELECT message FROM claim WHERE live = 1 UNION SELECT x.message FROM retry_operation o"
                       " " SQL_JOIN_IN_ORDER " retry_member x ON x.operation = o.id AND x.outcome = ?"
                       " WHERE o.connection = ? AND o.finished IS NULL AND o.state <> ?)"));
    qint64 count = 0;
    TRY(rows.bind(id, queue, int(records::Outcome::Pending), id, int(records::OperationState::Freezing)).each([&] {
        count = rows.integer(0);
    }));
    return count;
}

Result<QList<records::Redirect>> ConnectionStore::redirects(core::ConnectionId id)
{
    Statement rows = m_database.sql(
        QStringLiteral("SELECT from_queue, to_queue FROM redirect WHERE connection = ? ORDER BY from_queue"));
    QList<records::Redirect> all;
    TRY(rows.bind(id).each([&] { all.append({records::Redirect::Of::Queue, rows.text(0), rows.text(1)}); }));
    return all;
}

Result<> ConnectionStore::addRedirect(core::ConnectionId id, const records::Redirect &redirect)
{
    Statement insert =
        m_database.sql(QStringLiteral("INSERT INTO redirect (connection, from_queue, to_queue) VALUES (?, ?, ?)"));
    TRY(insert.bind(id, redirect.from, redirect.to).run());
    return {};
}

Result<> ConnectionStore::removeRedirect(core::ConnectionId id, const QString &from)
{
    TRY(const int gone, m_database.sql(QStringLiteral("DELETE FROM redirect WHERE connection = ? AND from_queue = ?"))
                            .bind(id, from)
                            .run());
    if (gone == 0)
        return core::fail(ErrorKind::NotFound, Text::tr("This redirect was removed."));
    return {};
}

Result<QHash<core::ConnectionId, QStringList>> ConnectionStore::foundQueues()
{
    Statement rows = m_database.sql(QStringLiteral("SELECT connection, queue FROM found_queue ORDER BY queue"));
    QHash<core::ConnectionId, QStringList> found;
    TRY(rows.each([&] { found[core::ConnectionId{rows.integer(0)}].append(rows.text(1)); }));
    return found;
}

Result<> ConnectionStore::answerFound(core::ConnectionId id, const QStringList &queues)
{
    for (const QString &queue : queues)
        TRY(m_database.sql(QStringLiteral("DELETE FROM found_queue WHERE connection = ? AND queue = ?"))
                .bind(id, queue)
                .run());
    return {};
}

Result<QList<records::Connection>> allConnections(Database &database)
{
    Statement rows =
        database.sql(QStringLiteral("SELECT id, name, kind, url, environment, rights, error_queues, doubles_allowed,"
                                    " ca_file FROM connection ORDER BY id"));
    QList<records::Connection> all;
    TRY(rows.each([&] {
        records::Connection one;
        one.id = core::ConnectionId{rows.integer(0)};
        one.name = rows.text(1);
        one.kind = rows.as<records::BrokerKind>(2);
        one.url = QUrl(rows.text(3), QUrl::StrictMode);
        one.environment = rows.as<records::Environment>(4);
        one.rights = records::Rights::fromInt(rows.as<records::Rights::Int>(5));
        one.errorQueues = textsFromCbor(rows.blob(6));
        one.doublesAllowed = rows.integer(7) != 0;
        one.caFile = rows.text(8);
        all.append(one);
    }));
    return all;
}

} // namespace store
