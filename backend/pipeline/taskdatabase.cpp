#include "backend/pipeline/taskdatabase.h"

#include "backend/pipeline/databaseerror.h"
#include "backend/pipeline/text.h"

#include <QFileInfo>
#include <QScopeGuard>
#include <QSqlDriver>
#include <QSqlError>
#include <QSqlResult>

#include <fcntl.h>
#include <libpq-fe.h>
#include <sqlite3.h>
#include <sys/socket.h>
#include <unistd.h>

namespace pipeline {

using core::ErrorKind;
using core::Result;

namespace {

constexpr int largestSqliteValue = 64 * 1024 * 1024; // bytes

// Limits of libpq. A server that is gone without a word is noticed after 10 s.
QString postgresOptions(const DatabaseUrl &url)
{
    QString options = QStringLiteral("connect_timeout=5;tcp_user_timeout=10000;keepalives_idle=5;keepalives_interval=2;"
                                     "keepalives_count=3;application_name=redrive");
    if (!url.sslMode.isEmpty())
        options += QStringLiteral(";sslmode=") + url.sslMode;
    return options;
}

// Another number for an open file, until the end of this object.
struct OwnDescriptor
{
    explicit OwnDescriptor(int of)
        : number(::fcntl(of, F_DUPFD_CLOEXEC, 0))
    {
    }
    ~OwnDescriptor()
    {
        if (number >= 0)
            ::close(number);
    }
    OwnDescriptor(const OwnDescriptor &) = delete;
    OwnDescriptor &operator=(const OwnDescriptor &) = delete;

    const int number;
};

QStringList postgresSettings(TaskDatabase::Access access)
{
    // A time without a zone is read as UTC. A server that notices that we are gone stops working for us.
    QStringList settings{QStringLiteral("set timezone to 'UTC'"), QStringLiteral("set lock_timeout to '3s'"),
                         QStringLiteral("set statement_timeout to '10s'"),
                         QStringLiteral("set idle_in_transaction_session_timeout to '30s'")};
    if (access == TaskDatabase::Access::Read)
        settings.append(QStringLiteral("set session characteristics as transaction read only"));
    return settings;
}

} // namespace

TaskDatabase::TaskDatabase(DatabaseUrl url, std::shared_ptr<Interrupter> interrupter)
    : m_url(std::move(url))
    , m_interrupter(std::move(interrupter))
{
    static std::atomic<int> serial{0}; // Qt keeps connections by name in the whole process
    m_name = QStringLiteral("redrive-pipeline-%1").arg(++serial);
}

TaskDatabase::~TaskDatabase()
{
    m_interrupter->detach();
    m_query = QSqlQuery();
    if (m_connection.isValid())
        m_connection.close();
    m_connection = {};
    QSqlDatabase::removeDatabase(m_name);
}

Result<std::unique_ptr<TaskDatabase>> TaskDatabase::open(const DatabaseUrl &url, const QString &password, Access access,
                                                         std::shared_ptr<Interrupter> interrupter)
{
    std::unique_ptr<TaskDatabase> database(new TaskDatabase(url, std::move(interrupter)));
    TRY(database->connectTo(password, access));
    return database;
}

Result<> TaskDatabase::connectTo(const QString &password, Access access)
{
    const bool isSqlite = m_url.kind == DatabaseKind::Sqlite;
    const QString driver = isSqlite ? QStringLiteral("QSQLITE") : QStringLiteral("QPSQL");
    if (!QSqlDatabase::isDriverAvailable(driver))
        return core::fail(
            ErrorKind::Refused,
            Text::tr("The database driver %1 is not installed. On Debian, install %2.")
                .arg(driver, isSqlite ? QStringLiteral("libqt6sql6-sqlite") : QStringLiteral("libqt6sql6-psql")));
    if (isSqlite && !QFileInfo::exists(m_url.database))
        return core::fail(ErrorKind::NotFound, Text::tr("There is no file %1. Check the path.").arg(m_url.database));
    m_connection = QSqlDatabase::addDatabase(driver, m_name);
    m_connection.setDatabaseName(m_url.database);
    if (isSqlite) {
        const bool reads = access == Access::Read;
        m_connection.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=3000")
                                       + (reads ? QStringLiteral(";QSQLITE_OPEN_READONLY") : QString()));
    } else {
        m_connection.setHostName(m_url.host);
        m_connection.setPort(m_url.port);
        m_connection.setUserName(m_url.user);
        m_connection.setPassword(password);
        m_connection.setConnectOptions(postgresOptions(m_url));
    }
    if (!m_connection.open())
        return core::fail(errorOf(m_connection.lastError()));
    listenForInterrupts();
    if (isSqlite)
        return {};
    for (const QString &setting : postgresSettings(access))
        TRY(command(setting));
    return {};
}

// libpq waits for its socket. Shutting that down ends the wait at once, whatever the server and the network do, while
// PQcancel would need the server. libpq closes the socket of a lost connection on its own, and its number may then be that
// of another file: the interrupter has a descriptor of its own.
void TaskDatabase::listenForInterrupts()
{
    const QVariant handle = m_connection.driver()->handle();
    if (m_url.kind == DatabaseKind::PostgreSql) {
        const auto socket =
            std::make_shared<const OwnDescriptor>(PQsocket(*static_cast<PGconn *const *>(handle.constData())));
        m_interrupter->attach([socket] { ::shutdown(socket->number, SHUT_RDWR); });
        return;
    }
    sqlite3 *const sqlite = *static_cast<sqlite3 *const *>(handle.constData());
    sqlite3_db_config(sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr); // the file may be anybody's
    sqlite3_limit(sqlite, SQLITE_LIMIT_LENGTH, largestSqliteValue);
    sqlite3_progress_handler(
        sqlite, 1000, [](void *stop) { return static_cast<std::atomic<bool> *>(stop)->load() ? 1 : 0; }, &m_stop);
    m_interrupter->attach([this] { m_stop = true; });
}

core::Error TaskDatabase::errorOf(const QSqlError &error) const
{
    return m_interrupter->isInterrupted() ? interruptedError(m_url) : databaseError(error, m_url);
}

Result<> TaskDatabase::run(const QString &sql, const QVariantList &values)
{
    m_query = QSqlQuery(m_connection);
    m_query.setForwardOnly(true);
    bool done = false;
    if (values.isEmpty()) {
        done = m_query.exec(sql);
    } else if (m_query.prepare(sql)) {
        for (const QVariant &value : values)
            m_query.addBindValue(value);
        done = m_query.exec();
    }
    return done ? Result<>() : Result<>(core::fail(errorOf(m_query.lastError())));
}

Result<> TaskDatabase::command(const QString &sql)
{
    QSqlQuery query(m_connection);
    return query.exec(sql) ? Result<>() : Result<>(core::fail(errorOf(query.lastError())));
}

Result<> TaskDatabase::each(const QString &sql, const QVariantList &values, const Take &take)
{
    TRY(run(sql, values));
    while (m_query.next())
        TRY(take(m_query));
    if (m_query.lastError().isValid()) // rows came until the server or the network failed
        return core::fail(errorOf(m_query.lastError()));
    m_query.finish();
    return {};
}

Result<int> TaskDatabase::change(const QString &sql, const QVariantList &values)
{
    TRY(run(sql, values));
    return m_query.numRowsAffected();
}

Result<> TaskDatabase::transact(const std::function<Result<>()> &work)
{
    const bool isSqlite = m_url.kind == DatabaseKind::Sqlite;
    TRY(command(isSqlite ? QStringLiteral("begin immediate") : QStringLiteral("begin")));
    auto undo = qScopeGuard([this] {
        const Result<> undone = command(QStringLiteral("rollback"));
        Q_UNUSED(undone) // closing the connection rolls back, too
    });
    TRY(work());
    if (!m_interrupter->startCommit())
        return core::fail(interruptedError(m_url));
    const Result<> committed = command(QStringLiteral("commit"));
    if (committed)
        undo.dismiss();
    const bool isUnknown = !committed && !isSqlite && committed.error().kind == ErrorKind::Transient;
    return isUnknown ? Result<>(core::fail(unknownCommitError(m_url))) : committed;
}

// Statements run forward only, so the result of libpq holds one row.
std::optional<core::TimePoint> TaskDatabase::endlessTime(const QSqlQuery &row, int column) const
{
    if (m_url.kind != DatabaseKind::PostgreSql)
        return std::nullopt;
    const QVariant handle = row.result()->handle();
    const QByteArrayView value(PQgetvalue(*static_cast<PGresult *const *>(handle.constData()), 0, column));
    if (value == "-infinity")
        return records::beforeAllTimes;
    return value == "infinity" ? std::optional(records::afterAllTimes) : std::nullopt;
}

Result<QSqlRecord> TaskDatabase::columnsOf(const QString &sql)
{
    TRY(run(sql, {}));
    const QSqlRecord record = m_query.record();
    m_query.finish();
    return record;
}

} // namespace pipeline
