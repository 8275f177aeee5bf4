#include "backend/sandbox/sqlconnection.h"

#include "backend/sandbox/scenariorun.h"

#include <QSqlError>
#include <QUuid>

namespace sandbox {

using core::Result;

SqlConnection::SqlConnection(QString failure)
    : m_failure(std::move(failure))
    , m_name(QStringLiteral("sandbox-") + QUuid::createUuid().toString(QUuid::Id128))
{
}

SqlConnection::~SqlConnection()
{
    m_database.close();
    m_database = QSqlDatabase(); // or it would still be in use
    QSqlDatabase::removeDatabase(m_name);
}

Result<> SqlConnection::openFile(const QString &path)
{
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
    m_database.setDatabaseName(path.isEmpty() ? QStringLiteral(":memory:") : path);
    m_database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_URI"));
    return open();
}

Result<> SqlConnection::openServer(const PostgresPlace &place)
{
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), m_name);
    m_database.setHostName(place.host);
    m_database.setPort(place.port);
    m_database.setUserName(place.user);
    m_database.setPassword(place.password);
    m_database.setDatabaseName(place.database);
    m_database.setConnectOptions(place.options);
    TRY(open());
    for (const char *setting : {"set timezone to 'UTC'", "set client_min_messages to error", "set lock_timeout to '3s'",
                                "set statement_timeout to '10s'"})
        TRY(run(QString::fromLatin1(setting)));
    return {};
}

Result<> SqlConnection::open()
{
    if (!m_database.open())
        return core::fail(errorOf(m_database.lastError()));
    return {};
}

core::Error SqlConnection::errorOf(const QSqlError &error) const
{
    return {core::ErrorKind::StoreFailed,
            m_failure.arg(m_database.databaseName(), error.text().simplified()),
            error.nativeErrorCode(),
            {}};
}

Result<QSqlQuery> SqlConnection::run(const QString &sql, Values values)
{
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    bool good = true;
    if (values.size() == 0) { // PostgreSQL prepares no statement of another kind
        good = query.exec(sql);
    } else {
        good = query.prepare(sql);
        for (const QVariant &value : values)
            query.addBindValue(value);
        good = good && query.exec();
    }
    if (!good)
        return core::fail(errorOf(query.lastError()));
    return query;
}

Result<qint64> SqlConnection::number(const QString &sql, Values values)
{
    TRY(QSqlQuery query, run(sql, values));
    return query.next() ? query.value(0).toLongLong() : 0;
}

Result<QStringList> SqlConnection::texts(const QString &sql, Values values)
{
    TRY(QSqlQuery query, run(sql, values));
    QStringList found;
    while (query.next())
        found.append(query.value(0).toString());
    return found;
}

} // namespace sandbox
