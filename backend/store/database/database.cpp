#include "backend/store/database/database.h"

#include "backend/store/database/filelocks.h"
#include "backend/store/database/sqlerror.h"
#include "backend/store/database/storefile.h"
#include "backend/store/migrations/schema.h"
#include "backend/store/search/searchfunction.h"
#include "backend/store/search/wordbreaks.h"
#include "backend/store/text.h"

#include <QFileInfo>
#include <QSqlDriver>
#include <QSqlError>

#include <mutex>

#include <sqlite3.h>

namespace store {

using core::ErrorKind;

static constexpr int statementsKept = 300;

Database::Database(QString path, Mode mode)
    : m_path(std::move(path))
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

Database::~Database()
{
    m_statements.clear();
    if (m_handle != nullptr && !m_damaged && mayCheckpoint(m_handle))
        emptyLog(m_handle);
    if (m_connection.isValid())
        m_connection.close();
    m_connection = {};
    QSqlDatabase::removeDatabase(m_name);
}

Result<std::unique_ptr<Database>> Database::open(const QString &path, Mode mode)
{
    if (mode == Mode::Write && !isInMemory(path))
        TRY(prepareStoreFile(path));
    if (mode == Mode::ReadOnly && !QFileInfo::exists(path))
        return core::fail(ErrorKind::NotFound, Text::tr("There is no store at %1.").arg(path));
    std::unique_ptr<Database> database(new Database(path, mode));
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

Result<> Database::connectTo()
{
    keepLocksUntilSqliteDropsThem();
    m_connection = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
    m_connection.setDatabaseName(m_path);
    QString options = QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000");
    if (m_mode == Mode::ReadOnly)
        options += QStringLiteral(";QSQLITE_OPEN_READONLY");
    m_connection.setConnectOptions(options);
    if (!m_connection.open())
        return core::fail(sqlError(m_connection.lastError(), m_path));
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

Result<> Database::setPragma(const QString &pragma, const QString &value, const QString &expected)
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
        Text::tr("This disk cannot keep the store %1 safely: it refuses %2. Choose a local disk.").arg(m_path, pragma));
}

Result<> Database::configure()
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
            const QString expected = QString::fromLatin1(journal && isInMemory(m_path) ? "memory" : setting.expected);
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
Result<> Database::copyPattern()
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

Statement Database::sql(const QString &text)
{
    const auto found = m_statements.constFind(text);
    const bool inUse = found != m_statements.cend();
    if (inUse && !(*found)->busy)
        return Statement(*this, *found);
    if (m_statements.size() >= statementsKept)
        m_statements.removeIf([](const auto &entry) { return !entry.value()->busy; });
    const auto slot = std::make_shared<Statement::Slot>(Statement::Slot{QSqlQuery(m_connection), false});
    slot->query.setForwardOnly(true);
    if (!slot->query.prepare(text))
        return Statement(*this, errorOf(slot->query.lastError()));
    if (!inUse) // a second use at the same time gets its own statement
        m_statements.insert(text, slot);
    return Statement(*this, slot);
}

Result<int> Database::execute(const QString &text, const QVariantList &values)
{
    return sql(text).bindAll(values).run();
}

core::Error Database::errorOf(const QSqlError &error)
{
    core::Error told = sqlError(error, m_path);
    m_damaged = m_damaged || told.kind == ErrorKind::Corrupt;
    return told;
}

std::optional<core::Error> Database::faultFor(const QString &statement) const
{
    return m_faultHook ? m_faultHook(statement) : std::nullopt;
}

Result<> Database::begin()
{
    return sql(QStringLiteral("BEGIN IMMEDIATE")).run().map([](int) {});
}

Result<> Database::commit()
{
    return sql(QStringLiteral("COMMIT")).run().map([](int) {});
}

Result<> Database::rollback()
{
    if (!inTransaction()) // SQLite has rolled back by itself, as it does when the disk is full
        return {};
    return sql(QStringLiteral("ROLLBACK")).run().map([](int) {});
}

bool Database::inTransaction() const
{
    return sqlite3_get_autocommit(m_handle) == 0;
}

void Database::leaveLog()
{
    forbidCheckpoint(m_handle);
    (void)sql(QStringLiteral("PRAGMA wal_autocheckpoint=0")).each([] {});
}

void Database::interrupt()
{
    m_stop = true;
}

} // namespace store
