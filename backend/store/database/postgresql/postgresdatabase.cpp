#include "backend/store/database/postgresql/postgresdatabase.h"

#include "backend/store/database/postgresql/postgreserror.h"
#include "backend/store/database/postgresql/postgresstatement.h"
#include "backend/store/migrations/postgresschema.h"
#include "backend/store/migrations/schema.h"
#include "backend/store/search/textsearch.h"
#include "backend/store/text.h"

#include <libpq-fe.h>

namespace store {

using core::ErrorKind;

namespace {

// Joins are read as they are written, from the left, and each row of the right side by an index: as in SQLite, for which the
// statements are made. So the order of a list stays the order of the rows (SQL_JOIN_IN_ORDER).
constexpr const char *settings[] = {
    "SET timezone TO 'UTC'",
    "SET lock_timeout TO '3s'",
    "SET idle_in_transaction_session_timeout TO '8s'",
    "SET synchronous_commit TO on",
    "SET join_collapse_limit TO 1",
    "SET enable_hashjoin TO off",
    "SET enable_mergejoin TO off",
    "SET max_parallel_workers_per_gather TO 0",
};

// For each statement of an opening: a server may accept a connection and answer nothing.
constexpr core::Milliseconds longestOpening{10'000};

QString quoted(const QString &name)
{
    return u'"' + QString(name).replace(u'"', QStringLiteral("\"\"")) + u'"';
}

} // namespace

PostgresDatabase::PostgresDatabase(const records::StoreAddress &address, Mode mode)
    : Database(address.text())
    , m_line(address)
    , m_mode(mode)
{
}

PostgresDatabase::~PostgresDatabase()
{
    forgetStatements();
}

Result<std::unique_ptr<PostgresDatabase>> PostgresDatabase::open(const records::StoreAddress &address, Mode mode)
{
    std::unique_ptr<PostgresDatabase> database(new PostgresDatabase(address, mode));
    const core::Milliseconds usual = database->m_line.limit();
    database->m_line.setLimit(longestOpening);
    TRY(database->m_line.open());
    TRY(database->configure());
    if (mode == Mode::Write)
        TRY(database->createSchema());
    TRY(database->checkTables());
    TRY(database->lookForPieces());
    database->m_line.setLimit(usual);
    return database;
}

Result<std::unique_ptr<PostgresDatabase>> PostgresDatabase::create(const records::StoreAddress &address)
{
    std::unique_ptr<PostgresDatabase> database(new PostgresDatabase(address, Mode::Write));
    TRY(database->m_line.open());
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

Result<> PostgresDatabase::reconnect()
{
    forgetStatements();
    ++m_connection;
    m_failed.reset();
    const core::Milliseconds usual = m_line.limit();
    m_line.setLimit(std::min(usual, longestOpening));
    Result<> ready = m_line.open();
    if (ready)
        ready = configure();
    if (ready)
        ready = checkTables();
    m_line.setLimit(usual);
    return ready;
}

Result<> PostgresDatabase::command(const QString &text)
{
    const PostgresAnswer answer = m_line.exec(text.toUtf8());
    const ExecStatusType status = PQresultStatus(answer.get());
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
        return {};
    core::Error error = postgresError(answer.get(), m_line.handle(), path());
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
    TRY(command(QStringLiteral("SET search_path TO ") + quoted(schemaName())));
    for (const char *const setting : settings)
        TRY(command(QString::fromLatin1(setting)));
    if (m_mode == Mode::ReadOnly)
        TRY(command(QStringLiteral("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")));
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
    if (done)
        done = command(QStringLiteral("COMMIT"));
    if (!done)
        (void)command(QStringLiteral("ROLLBACK")); // the first error is the useful one
    m_failed.reset();
    return done;
}

Result<> PostgresDatabase::makeSchema()
{
    Result<> made = command(QStringLiteral("CREATE SCHEMA ") + quoted(schemaName()));
    if (made || made.error().kind != ErrorKind::Unauthorized)
        return made;
    return core::fail(ErrorKind::Unauthorized,
                      Text::tr("The role %1 may not create the schema %2 in %3. An administrator can do it: CREATE "
                               "SCHEMA %4 AUTHORIZATION %5;")
                          .arg(QString::fromUtf8(PQuser(m_line.handle())), schemaName(), path(), quoted(schemaName()),
                               quoted(QString::fromUtf8(PQuser(m_line.handle())))),
                      made.error().detail);
}

// By one process at a time.
Result<qint64> PostgresDatabase::tablesThere()
{
    if (QByteArrayView(PQparameterStatus(m_line.handle(), "server_encoding")) != "UTF8")
        return core::fail(ErrorKind::Refused,
                          Text::tr("The database %1 does not store texts as UTF-8. Create one that does.").arg(path()));
    TRY(number(
        QStringLiteral("SELECT count(*) FROM (SELECT pg_advisory_xact_lock(%1, hashtext(?))) l").arg(applicationId),
        schemaName()));
    TRY(const qint64 exists,
        number(QStringLiteral("SELECT count(*) FROM pg_namespace WHERE nspname = ?"), schemaName()));
    if (exists == 0)
        TRY(makeSchema());
    return number(QStringLiteral("SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                                 " WHERE n.nspname = ? AND c.relkind IN ('r', 'p', 'v')"),
                  schemaName());
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
    TRY(makePieces());
    return lookForPieces();
}

Result<> PostgresDatabase::addPieces()
{
    if (m_hasPieces)
        return {};
    {
        Statement row = sql(QStringLiteral("SELECT pg_has_role(relowner, 'USAGE') FROM pg_class"
                                           " WHERE oid = CAST('message_text' AS regclass)"));
        TRY(row.step());
        if (row.integer(0) == 0)
            return {};
    }
    const core::Milliseconds usual = m_line.limit();
    m_line.setLimit(std::chrono::hours(24)); // of millions of texts
    TRY(command(QStringLiteral("BEGIN")));
    const Result<> made = makePieces();
    const Result<> ended = command(made ? QStringLiteral("COMMIT") : QStringLiteral("ROLLBACK"));
    m_line.setLimit(usual);
    m_failed.reset();
    TRY(made);
    TRY(ended);
    return lookForPieces();
}

// The extension belongs to the whole database. Where it is missing and may not be created, pieces are found without it.
Result<> PostgresDatabase::makePieces()
{
    TRY(command(QStringLiteral("SAVEPOINT extension")));
    if (!command(QStringLiteral("CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public")))
        TRY(command(QStringLiteral("ROLLBACK TO SAVEPOINT extension")));
    m_failed.reset();
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
               schemaName()));
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

Result<> PostgresDatabase::checkTables()
{
    const QString table = QStringLiteral("SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                                         " WHERE n.nspname = ?%1");
    TRY(const qint64 ours, number(table.arg(QStringLiteral(" AND c.relname = 'store_format'")), schemaName()));
    if (ours == 0) {
        TRY(const qint64 all, number(table.arg(QString()), schemaName()));
        if (all == 0 && m_mode != Mode::Write)
            return core::fail(ErrorKind::NotFound, Text::tr("There is no store at %1.").arg(path()));
        return core::fail(
            ErrorKind::Corrupt,
            Text::tr("The schema %1 of %2 holds other tables. Choose another schema.").arg(schemaName(), path()));
    }
    TRY(const qint64 mayUse,
        number(QStringLiteral("SELECT CAST(has_schema_privilege(?, 'USAGE') AS integer)"), schemaName()));
    if (mayUse == 0) // its tables would seem not to exist
        return core::fail(
            ErrorKind::Unauthorized,
            Text::tr("The store %1 cannot be used with this role. Check the rights of the role.").arg(path()));
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

bool PostgresDatabase::isInFailedTransaction() const
{
    return PQtransactionStatus(m_line.handle()) == PQTRANS_INERROR;
}

core::Error PostgresDatabase::failed(core::Error error)
{
    if (error.kind == ErrorKind::Corrupt)
        setDamaged();
    if (!isInFailedTransaction() && !isLost())
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

Result<> PostgresDatabase::beginWith(const QString &begin)
{
    m_failed.reset();
    m_line.awaitCancelling();
    if (isLost())
        TRY(reconnect());
    return sql(begin).run().map([](int) {});
}

Result<> PostgresDatabase::begin()
{
    return beginWith(QStringLiteral("BEGIN"));
}

Result<> PostgresDatabase::beginReading()
{
    return beginWith(QStringLiteral("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
}

bool PostgresDatabase::inTransaction() const
{
    const PGTransactionStatusType status = PQtransactionStatus(m_line.handle());
    return status != PQTRANS_IDLE && status != PQTRANS_UNKNOWN;
}

Result<> PostgresDatabase::checkTransaction()
{
    if (m_failed && (isInFailedTransaction() || isLost()))
        return core::fail(*m_failed);
    return {};
}

const TextSearch &PostgresDatabase::search() const
{
    return postgresSearch();
}

} // namespace store
