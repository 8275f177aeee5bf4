#include "backend/store/database/sqlitedatabase.h"

#include "backend/store/database/filelocks.h"
#include "backend/store/database/sqlerror.h"
#include "backend/store/database/storefile.h"
#include "backend/store/migrations/schema.h"
#include "backend/store/search/searchfunction.h"
#include "backend/store/search/textsearch.h"
#include "backend/store/search/wordbreaks.h"
#include "backend/store/text.h"

#include <QFileInfo>
#include <QSqlDriver>
#include <QSqlError>
#include <QSqlQuery>

#include <mutex>

#include <sqlite3.h>

namespace store {

using core::ErrorKind;

namespace {

class SqliteStatement final : public PreparedStatement
{
public:
    SqliteStatement(SqliteDatabase &database, const QSqlDatabase &connection, const QString &text)
        : PreparedStatement(text)
        , m_database(database)
        , m_query(connection)
    {
        m_query.setForwardOnly(true);
    }
    [[nodiscard]] Result<> prepare()
    {
        return m_query.prepare(text()) ? Result<>() : core::fail(m_database.errorOf(m_query.lastError()));
    }

    void bind(int number, const QVariant &value) override { m_query.bindValue(number, value); }
    [[nodiscard]] Result<> execute() override
    {
        return m_query.exec() ? Result<>() : core::fail(m_database.errorOf(m_query.lastError()));
    }
    [[nodiscard]] int changedRows() const override { return m_query.numRowsAffected(); }
    [[nodiscard]] Result<bool> next() override
    {
        if (m_query.next())
            return true;
        const QSqlError error = m_query.lastError();
        return error.isValid() ? Result<bool>(core::fail(m_database.errorOf(error))) : Result<bool>(false);
    }
    void finish() override { m_query.finish(); }

    [[nodiscard]] bool isNull(int column) const override { return m_query.isNull(column); }
    [[nodiscard]] QVariant value(int column) const override { return m_query.value(column); }
    [[nodiscard]] qint64 integer(int column) const override { return m_query.value(column).toLongLong(); }
    [[nodiscard]] QString text(int column) const override { return m_query.value(column).toString(); }
    [[nodiscard]] QByteArray blob(int column) const override { return m_query.value(column).toByteArray(); }
    using PreparedStatement::text;

private:
    SqliteDatabase &m_database;
    QSqlQuery m_query;
};

} // namespace

SqliteDatabase::SqliteDatabase(QString path, Mode mode)
    : Database(std::move(path))
    , m_mode(mode)
{
    static std::atomic<int> serial{0}; // Qt keeps connections by name in the whole process
    m_name = QStringLiteral("redrive-store-%1").arg(++serial);
}

static void forbidCheckpoint(sqlite3 *handle)
{
    sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

static bool mayCheckpoint(sqlite3 *handle)
{
    int forbidden = 1;
    sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, -1, &forbidden);
    return forbidden == 0;
}

// Writes the log into the one file, so that a copy of that file is a copy of the store. SQLite does this by itself only
// when nobody is reading. A reader in the middle of a question keeps a part in the log; this is no error, and the wait
// for it is short.
static void emptyLog(sqlite3 *handle)
{
    constexpr int busyTimeoutMs = 500;
    sqlite3_busy_timeout(handle, busyTimeoutMs);
    sqlite3_wal_checkpoint_v2(handle, nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
}

SqliteDatabase::~SqliteDatabase()
{
    forgetStatements();
    if (m_handle != nullptr && !isDamaged() && mayCheckpoint(m_handle))
        emptyLog(m_handle);
    if (m_connection.isValid())
        m_connection.close();
    m_connection = {};
    QSqlDatabase::removeDatabase(m_name);
}

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::open(const QString &path, Mode mode)
{
    if (mode == Mode::Write && !isInMemory(path))
        TRY(prepareStoreFile(path));
    if (mode == Mode::ReadOnly && !QFileInfo::exists(path))
        return core::fail(ErrorKind::NotFound, Text::tr("There is no store at %1.").arg(path));
    std::unique_ptr<SqliteDatabase> database(new SqliteDatabase(path, mode));
    Result<> ready = database->connectTo();
    if (ready)
        ready = checkOwner(*database);
    if (ready)
        ready = database->configure();
    if (ready && mode == Mode::ReadOnly)
        ready = checkFormat(*database);
    else if (ready)
        ready = isInMemory(path) ? database->copyPattern() : migrate(*database);
    if (!ready) {
        if (database->m_handle != nullptr)
            forbidCheckpoint(database->m_handle); // it may be another program's file
        return core::fail(ready.error());
    }
    return database;
}

Result<> SqliteDatabase::connectTo()
{
    keepLocksUntilSqliteDropsThem();
    m_connection = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
    m_connection.setDatabaseName(path());
    QString options = QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000");
    if (m_mode == Mode::ReadOnly)
        options += QStringLiteral(";QSQLITE_OPEN_READONLY");
    m_connection.setConnectOptions(options);
    if (!m_connection.open())
        return core::fail(sqlError(m_connection.lastError(), path()));
    m_handle = *static_cast<sqlite3 *const *>(m_connection.driver()->handle().constData());
    sqlite3_db_config(m_handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr); // no SQL can damage the file
    // A plan must not depend on bound values: otherwise a statement that could use a partial index is compiled again
    // for every value.
    sqlite3_db_config(m_handle, SQLITE_DBCONFIG_ENABLE_QPSG, 1, nullptr);
    if (m_mode == Mode::ReadOnly) // two connections that checkpoint at once can corrupt the file before SQLite 3.51.3
        forbidCheckpoint(m_handle);
    // Checked every thousand steps. sqlite3_interrupt alone would be lost between two statements.
    sqlite3_progress_handler(
        m_handle, 1000, [](void *stop) { return static_cast<std::atomic<bool> *>(stop)->load() ? 1 : 0; }, &m_stop);
    TRY(addSearchFunction(m_handle));
    return addWordFunctions(m_handle);
}

Result<> SqliteDatabase::setPragma(const QString &pragma, const QString &value, const QString &expected)
{
    for (const QString &text :
         {QStringLiteral("PRAGMA %1=%2").arg(pragma, value), QStringLiteral("PRAGMA %1").arg(pragma)}) {
        Statement statement = sql(text);
        TRY(const bool row, statement.step());
        if (row && statement.text(0) == expected)
            return {};
    }
    return core::fail(
        ErrorKind::Unauthorized,
        Text::tr("This disk cannot keep the store %1 safely: it refuses %2. Choose a local disk.").arg(path(), pragma));
}

Result<> SqliteDatabase::configure()
{
    struct Setting
    {
        const char *pragma;
        const char *value;
        const char *expected;
    };
    static constexpr Setting writing[] = {
        {"page_size", "8192", nullptr}, // only for a new file
        {"journal_mode", "WAL", "wal"},
        {"synchronous", "FULL", "2"}, // data is on the disk when transact returns; costs nothing with batches
        {"foreign_keys", "1", "1"},
        {"temp_store", "2", "2"}, // the journal that undoes half a statement is in memory
        {"cache_size", "-32768", "-32768"}, // KiB
        {"wal_autocheckpoint", "4000", "4000"},
        {"journal_size_limit", "134217728", "134217728"},
    };
    static constexpr Setting reading[] = {
        {"query_only", "1", "1"},
        {"wal_autocheckpoint", "0", "0"},
        {"cache_size", "-16384", "-16384"},
    };
    const auto apply = [this](const auto &settings) -> Result<> {
        for (const Setting &setting : settings) {
            const QString pragma = QString::fromLatin1(setting.pragma);
            const bool journal = pragma == QLatin1String("journal_mode");
            const QString expected = QString::fromLatin1(journal && isInMemory(path()) ? "memory" : setting.expected);
            TRY(setting.expected == nullptr
                    ? sql(QStringLiteral("PRAGMA %1=%2").arg(pragma, QString::fromLatin1(setting.value))).each([] {})
                    : setPragma(pragma, QString::fromLatin1(setting.value), expected));
        }
        return {};
    };
    return m_mode == Mode::Write ? apply(writing) : apply(reading);
}

static bool copyAll(sqlite3 *from, sqlite3 *to)
{
    sqlite3_backup *const copying = sqlite3_backup_init(to, "main", from, "main");
    if (copying == nullptr)
        return false;
    sqlite3_backup_step(copying, -1);
    return sqlite3_backup_finish(copying) == SQLITE_OK;
}

// A simulation opens thousands of stores: the first one in memory is migrated, the others are copies of it.
Result<> SqliteDatabase::copyPattern()
{
    static std::mutex guard;
    static sqlite3 *pattern = nullptr; // lives as long as the process
    const std::lock_guard<std::mutex> locked(guard);
    if (pattern != nullptr && copyAll(pattern, m_handle))
        return {};
    const Result<> migrated = migrate(*this);
    sqlite3 *fresh = nullptr;
    const bool kept = migrated && pattern == nullptr && sqlite3_open(":memory:", &fresh) == SQLITE_OK
                      && sqlite3_exec(fresh, "PRAGMA page_size=8192", nullptr, nullptr, nullptr) == SQLITE_OK
                      && copyAll(m_handle, fresh);
    if (kept)
        pattern = fresh;
    else
        sqlite3_close(fresh);
    return migrated;
}

core::Error SqliteDatabase::errorOf(const QSqlError &error)
{
    core::Error told = sqlError(error, path());
    if (told.kind == ErrorKind::Corrupt)
        setDamaged();
    return told;
}

Result<std::shared_ptr<PreparedStatement>> SqliteDatabase::prepare(const QString &text)
{
    auto prepared = std::make_shared<SqliteStatement>(*this, m_connection, text);
    TRY(prepared->prepare());
    return std::shared_ptr<PreparedStatement>(std::move(prepared));
}

Result<> SqliteDatabase::begin()
{
    return sql(QStringLiteral("BEGIN IMMEDIATE")).run().map([](int) {});
}

Result<> SqliteDatabase::beginReading()
{
    return sql(QStringLiteral("BEGIN")).run().map([](int) {});
}

bool SqliteDatabase::inTransaction() const
{
    return sqlite3_get_autocommit(m_handle) == 0;
}

void SqliteDatabase::leaveLog()
{
    forbidCheckpoint(m_handle);
    (void)sql(QStringLiteral("PRAGMA wal_autocheckpoint=0")).each([] {});
}

const TextSearch &SqliteDatabase::search() const
{
    return sqliteSearch();
}

} // namespace store
