#include "tests/support/store/leasedstore.h"

#include "backend/store/database/postgresql/postgresdatabase.h"
#include "backend/store/migrations/controlschema.h"
#include "tests/support/must.h"

#include <QSqlError>
#include <QSqlQuery>

namespace support {

using test::must;

PostgresServer &LeasedStore::server()
{
    return PostgresServer::ofProgram();
}

LeasedStore::LeasedStore()
{
    static int serial = 0;
    m_schema = QStringLiteral("Team %1").arg(++serial); // a name that must be quoted
    (void)must(store::PostgresDatabase::open(address(), store::Database::Mode::Write));
}

records::StoreAddress LeasedStore::address(const QString &role) const
{
    records::StoreAddress address;
    address.url = server().url(role);
    address.password = PostgresServer::password();
    address.schema = m_schema;
    return address;
}

store::OpenControlTables LeasedStore::open(const QString &role) const
{
    return [address = address(role)] { return store::ControlTables::open(address); };
}

std::unique_ptr<store::ControlTables> LeasedStore::tables(const QString &role) const
{
    return must(open(role)());
}

void LeasedStore::hold(qint64 fence)
{
    sql(QStringLiteral("INSERT INTO engine_lease (scope, holder, fence, expires_at, host, pid, version, kind, who)"
                       " VALUES ('engine', 'run', %1, clock_timestamp() + interval '1 hour', 'desk-7',"
                       " 4711, '0', 1, 'ada') ON CONFLICT (scope) DO UPDATE SET fence = excluded.fence,"
                       " holder = excluded.holder, expires_at = excluded.expires_at")
            .arg(fence));
    if (wasRefused())
        qFatal("%s", qPrintable(m_error));
}

void LeasedStore::letExpire()
{
    sql(QStringLiteral("UPDATE engine_lease SET expires_at = clock_timestamp() - interval '1 second'"));
}

QVariant LeasedStore::run(QSqlDatabase connection, const QString &text)
{
    QSqlQuery query(connection);
    const bool done = query.exec(QStringLiteral("SET search_path TO \"%1\"").arg(m_schema)) && query.exec(text);
    m_error = done ? QString() : query.lastError().text() + connection.lastError().text();
    return done && query.next() ? query.value(0) : QVariant();
}

QVariant LeasedStore::sql(const QString &text)
{
    if (!m_connection.isOpen())
        m_connection = server().connect();
    return run(m_connection, text);
}

QVariant LeasedStore::sqlAs(const QString &role, const QString &text)
{
    QSqlDatabase connection = server().connect(role);
    const QVariant value = run(connection, text);
    connection.close();
    return value;
}

bool LeasedStore::mayRun(const QString &role, const QString &text)
{
    QSqlDatabase connection = server().connect(role);
    connection.transaction();
    run(connection, text);
    connection.rollback();
    connection.close();
    return !wasRefused();
}

void LeasedStore::giveRoles()
{
    const QStringList statements = store::schema::roles(m_schema).split(QStringLiteral(";\n"), Qt::SkipEmptyParts);
    for (const QString &statement : statements + statements) { // twice does no harm
        sql(statement); // alone, because Qt reports only the first error
        if (wasRefused())
            qFatal("%s", qPrintable(statement + m_error));
    }
    const QHash<QString, QString> people{{QStringLiteral("alice"), QStringLiteral("IN ROLE redrive_support")},
                                         {QStringLiteral("bob"), QStringLiteral("IN ROLE redrive_support")},
                                         {QStringLiteral("victor"), QStringLiteral("IN ROLE redrive_viewer")},
                                         {QStringLiteral("worker"), QStringLiteral("IN ROLE redrive_engine")},
                                         {QStringLiteral("eve"), QString()}};
    for (auto one = people.cbegin(); one != people.cend(); ++one) // those of an earlier store stay
        sql(QStringLiteral("DO $$ BEGIN CREATE ROLE %1 LOGIN PASSWORD '%2' %3;"
                           " EXCEPTION WHEN duplicate_object THEN NULL; END $$")
                .arg(one.key(), PostgresServer::password(), one.value()));
}

} // namespace support
