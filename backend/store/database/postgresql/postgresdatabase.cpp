#include "backend/store/database/postgresql/postgresdatabase.h"

#include "backend/store/database/postgresql/postgreserror.h"
#include "backend/store/database/postgresql/postgresstatement.h"
#include "backend/store/migrations/postgresschema.h"
#include "backend/store/migrations/schema.h"
#include "backend/store/search/textsearch.h"
#include "backend/store/text.h"

#include <array>

#include <libpq-fe.h>

namespace store {

using core::ErrorKind;

namespace {

struct Freed
{
    void operator()(PGresult *result) const { PQclear(result); }
};
using Answer = std::unique_ptr<PGresult, Freed>;

// Joins are read as they are written, from the left, and each row of the right side by an index: as in SQLite, for which the
// statements are made. So the order of a list stays the order of the rows (SQL_JOIN_IN_ORDER).
constexpr const char *settings[] = {
    "SET timezone TO 'UTC'",
    "SET lock_timeout TO '3s'",
    "SET idle_in_transaction_session_timeout TO '30s'",
    "SET synchronous_commit TO on",
    "SET join_collapse_limit TO 1",
    "SET enable_hashjoin TO off",
    "SET enable_mergejoin TO off",
    "SET max_parallel_workers_per_gather TO 0",
};

QString quoted(const QString &name)
{
    return u'"' + QString(name).replace(u'"', QStringLiteral("\"\"")) + u'"';
}

} // namespace

PostgresDatabase::PostgresDatabase(const records::StoreAddress &address)
    : Database(address.text())
    , m_address(address)
{
}

PostgresDatabase::~PostgresDatabase()
{
    forgetStatements();
    PQfreeCancel(m_cancel);
    PQfinish(m_handle);
}

Result<std::unique_ptr<PostgresDatabase>> PostgresDatabase::open(const records::StoreAddress &address, Mode mode)
{
    std::unique_ptr<PostgresDatabase> database(new PostgresDatabase(address));
    TRY(database->connectTo());
    TRY(database->configure());
    if (mode == Mode::Write)
        TRY(database->createSchema());
    TRY(database->checkTables(mode));
    TRY(database->lookForPieces());
    if (mode == Mode::ReadOnly)
        TRY(database->command(QStringLiteral("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")));
    return database;
}

Result<std::unique_ptr<PostgresDatabase>> PostgresDatabase::create(const records::StoreAddress &address)
{
    std::unique_ptr<PostgresDatabase> database(new PostgresDatabase(address));
    TRY(database->connectTo());
    TRY(database->configure());
    TRY(database->begin());
    TRY(const qint64 tables, database->tablesThere());
    if (tables > 0)
        return core::fail(ErrorKind::Refused,
                          Text::tr("The schema %1 of %2 already holds tables. Choose another schema.")
                              .arg(address.schema, address.url));
    TRY(database->createTables());
    return database;
}

// A server that is gone without a word is noticed after 10 s.
Result<> PostgresDatabase::connectTo()
{
    const QByteArray url = m_address.url.toUtf8();
    const QByteArray password = m_address.password.toUtf8();
    const std::pair<const char *, const char *> options[] = {
        {"dbname", url.constData()},     {"password", m_address.password.isNull() ? nullptr : password.constData()},
        {"connect_timeout", "5"},        {"tcp_user_timeout", "10000"},
        {"keepalives_idle", "5"},        {"keepalives_interval", "2"},
        {"keepalives_count", "3"},       {"client_encoding", "UTF8"},
        {"application_name", "redrive"},
    };
    QList<const char *> names;
    QList<const char *> values;
    for (const auto &[name, value] : options) {
        names.append(name);
        values.append(value);
    }
    names.append(nullptr);
    values.append(nullptr);
    constexpr int dbnameIsConnectionString = 1;
    m_handle = PQconnectdbParams(names.constData(), values.constData(), dbnameIsConnectionString);
    if (PQstatus(m_handle) != CONNECTION_OK)
        return core::fail(postgresError(nullptr, m_handle, path()));
    PQsetNoticeProcessor(
        m_handle, [](void *, const char *) {}, nullptr);
    m_cancel = PQgetCancel(m_handle);
    return {};
}

Result<> PostgresDatabase::command(const QString &text)
{
    const Answer answer(PQexec(m_handle, text.toUtf8().constData()));
    const ExecStatusType status = PQresultStatus(answer.get());
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
        return {};
    core::Error error = postgresError(answer.get(), m_handle, path());
    error.detail += QStringLiteral(" in ") + text.left(300);
    return core::fail(std::move(error));
}

Result<qint64> PostgresDatabase::number(const QString &query, const QString &value)
{
    Statement row = sql(query);
    TRY(const bool found, row.bind(value).step());
    return found ? row.integer(0) : 0;
}

Result<> PostgresDatabase::configure()
{
    if (QByteArrayView(PQparameterStatus(m_handle, "server_encoding")) != "UTF8")
        return core::fail(ErrorKind::Refused,
                          Text::tr("The database %1 does not store texts as UTF-8. Create one that does.").arg(path()));
    TRY(command(QStringLiteral("SET search_path TO ") + quoted(m_address.schema)));
    for (const char *const setting : settings)
        TRY(command(QString::fromLatin1(setting)));
    return {};
}

// In one transaction.
Result<> PostgresDatabase::createSchema()
{
    TRY(command(QStringLiteral("BEGIN")));
    const Result<qint64> tables = tablesThere();
    Result<> done = tables ? Result<>() : core::fail(tables.error());
    if (done && *tables == 0)
        done = createTables().and_then([this] { return addIndexes(); });
    else if (done)
        done = createPieces();
    if (done)
        done = command(QStringLiteral("COMMIT"));
    if (!done)
        (void)command(QStringLiteral("ROLLBACK")); // the first error is the useful one
    m_failed.reset();
    return done;
}

// By one process at a time.
Result<qint64> PostgresDatabase::tablesThere()
{
    TRY(number(
        QStringLiteral("SELECT count(*) FROM (SELECT pg_advisory_xact_lock(%1, hashtext(?))) l").arg(applicationId),
        m_address.schema));
    TRY(const qint64 exists,
        number(QStringLiteral("SELECT count(*) FROM pg_namespace WHERE nspname = ?"), m_address.schema));
    if (exists == 0)
        TRY(command(QStringLiteral("CREATE SCHEMA ") + quoted(m_address.schema)));
    return number(QStringLiteral("SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                                 " WHERE n.nspname = ? AND c.relkind IN ('r', 'p', 'v')"),
                  m_address.schema);
}

Result<> PostgresDatabase::createTables()
{
    const QStringList statements = schema::postgres();
    for (const QString &text : statements)
        TRY(command(text));
    return {};
}

Result<> PostgresDatabase::addIndexes()
{
    const QStringList statements = schema::postgresIndexes();
    for (const QString &text : statements)
        TRY(command(text));
    TRY(createPieces());
    return lookForPieces();
}

// The extension belongs to the whole database. Where it is missing and may not be created, pieces are found without it.
Result<> PostgresDatabase::createPieces()
{
    TRY(const qint64 ours, number(QStringLiteral("SELECT count(*) FROM pg_class c JOIN pg_namespace n"
                                                 " ON n.oid = c.relnamespace WHERE n.nspname = ?"
                                                 " AND c.relname = 'message_text'"),
                                  m_address.schema));
    TRY(lookForPieces());
    if (ours == 0 || m_hasPieces)
        return {};
    TRY(command(QStringLiteral("SAVEPOINT pieces")));
    if (!command(QStringLiteral("CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public")))
        TRY(command(QStringLiteral("ROLLBACK TO SAVEPOINT pieces")));
    QString home;
    {
        Statement row =
            sql(QStringLiteral("SELECT CAST(n.nspname AS text) FROM pg_extension e"
                               " JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm'"));
        TRY(const bool found, row.step());
        if (!found)
            return {};
        home = row.text(0);
    }
    return command(schema::postgresPieces(quoted(home)));
}

Result<> PostgresDatabase::lookForPieces()
{
    TRY(const qint64 found,
        number(QStringLiteral("SELECT count(*) FROM pg_indexes WHERE schemaname = ? AND indexname = 'message_pieces'"),
               m_address.schema));
    m_hasPieces = found > 0;
    return {};
}

QString PostgresDatabase::note() const
{
    if (m_hasPieces)
        return {};
    return Text::tr(
               "The database of the store %1 lacks the extension pg_trgm, so a search for a part of a text reads all "
               "messages. Run CREATE EXTENSION pg_trgm there as its administrator, then start Redrive again.")
        .arg(path());
}

Result<> PostgresDatabase::checkTables(Mode mode)
{
    const QString table = QStringLiteral("SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                                         " WHERE n.nspname = ?%1");
    TRY(const qint64 ours, number(table.arg(QStringLiteral(" AND c.relname = 'store_format'")), m_address.schema));
    if (ours == 0) {
        TRY(const qint64 all, number(table.arg(QString()), m_address.schema));
        if (all == 0 && mode == Mode::ReadOnly)
            return core::fail(ErrorKind::NotFound, Text::tr("There is no store at %1.").arg(path()));
        return core::fail(
            ErrorKind::Corrupt,
            Text::tr("The schema %1 of %2 holds other tables. Choose another schema.").arg(m_address.schema, path()));
    }
    qint64 version = 0;
    {
        Statement row = sql(QStringLiteral("SELECT version FROM store_format"));
        TRY(const bool found, row.step());
        version = found ? row.integer(0) : 0;
    }
    if (version == schemaVersion)
        return {};
    return core::fail(
        ErrorKind::Refused,
        Text::tr("Another version of Redrive wrote the store %1 (format %2; this version reads format %3).")
            .arg(path(), QString::number(version), QString::number(schemaVersion)));
}

Result<std::shared_ptr<PreparedStatement>> PostgresDatabase::prepare(const QString &text)
{
    return std::shared_ptr<PreparedStatement>(std::make_shared<PostgresStatement>(*this, text));
}

core::Error PostgresDatabase::failed(core::Error error)
{
    if (error.kind == ErrorKind::Corrupt)
        setDamaged();
    if (PQtransactionStatus(m_handle) != PQTRANS_INERROR)
        return error;
    if (!m_failed)
        m_failed = std::move(error);
    return *m_failed;
}

static std::function<void(const QString &)> &statementWitness()
{
    static std::function<void(const QString &)> witness;
    return witness;
}

void PostgresDatabase::setWitness(std::function<void(const QString &statement)> witness)
{
    statementWitness() = std::move(witness);
}

void PostgresDatabase::wasUnderstood(const QString &statement)
{
    if (statementWitness())
        statementWitness()(statement);
}

Result<> PostgresDatabase::begin()
{
    m_failed.reset();
    return sql(QStringLiteral("BEGIN")).run().map([](int) {});
}

Result<> PostgresDatabase::beginReading()
{
    m_failed.reset();
    return sql(QStringLiteral("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")).run().map([](int) {});
}

bool PostgresDatabase::inTransaction() const
{
    const PGTransactionStatusType status = PQtransactionStatus(m_handle);
    return status != PQTRANS_IDLE && status != PQTRANS_UNKNOWN;
}

Result<> PostgresDatabase::checkTransaction()
{
    if (PQtransactionStatus(m_handle) == PQTRANS_INERROR && m_failed)
        return core::fail(*m_failed);
    return {};
}

const TextSearch &PostgresDatabase::search() const
{
    return postgresSearch();
}

void PostgresDatabase::interrupt()
{
    m_stop = true;
    std::array<char, 256> said{};
    PQcancel(m_cancel, said.data(), int(said.size()));
}

} // namespace store
