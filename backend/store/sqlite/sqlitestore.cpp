#include "backend/store/sqlite/sqlitestore.h"

#include "backend/store/database/storefile.h"
#include "backend/store/database/transactioncounters.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/sqlite/storecopy.h"
#include "backend/store/text.h"

namespace store {

using core::ErrorKind;

SqliteStore::SqliteStore(std::unique_ptr<StoreLock> lock, std::unique_ptr<Database> database)
    : m_lock(std::move(lock))
    , m_database(std::move(database))
    , m_session(*m_database)
{
}

SqliteStore::~SqliteStore()
{
    const Result<> mine = m_fence == 0 ? Result<>{} : checkFence(); // closing writes into the file, too
    if (!mine)
        m_database->leaveLog();
}

// Before any file is created beside it.
static Result<> refuseForeignFile(const QString &path)
{
    if (bearsOurMark(path))
        return {};
    const Result<std::unique_ptr<Database>> browsed = Database::open(path, Database::Mode::ReadOnly);
    const bool isForeign = !browsed && browsed.error().kind == ErrorKind::Corrupt;
    return isForeign ? Result<>(core::fail(browsed.error())) : Result<>();
}

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const QString &path, core::Random &random, Provenance provenance)
{
    std::unique_ptr<StoreLock> lock;
    if (!isInMemory(path)) {
        TRY(prepareStoreFile(path));
        TRY(refuseForeignFile(path));
        TRY(lock, StoreLock::take(path));
    }
    TRY(std::unique_ptr<Database> database, Database::open(path, Database::Mode::Write));
    std::unique_ptr<SqliteStore> opened(new SqliteStore(std::move(lock), std::move(database)));
    TRY(opened->introduce(random, provenance));
    return opened;
}

Result<> SqliteStore::introduce(core::Random &random, Provenance provenance)
{
    TRY(m_session.counters().load()); // a new store has none, and counts from 0
    return run([this, &random, provenance](Session &session) -> Result<> {
        TRY(const StoreIdentity self, introduceStore(*m_database, random, provenance));
        m_id = self.id;
        m_fence = self.fence;
        m_copiedFrom = self.copiedFrom;
        TRY(session.intakes().removeDone());
        return m_copiedFrom.isEmpty() ? Result<>{} : partFromOriginal(session, m_database->path(), m_copiedFrom);
    });
}

Result<> SqliteStore::checkFence()
{
    Statement meta = m_database->sql(QStringLiteral("SELECT fence FROM store_meta"));
    TRY(const bool row, meta.step());
    if (row && meta.integer(0) == m_fence)
        return {};
    m_superseded = true;
    const std::optional<Holder> holder = StoreLock::holder(m_database->path());
    return core::fail(ErrorKind::StoreFailed,
                      Text::tr("Another program opened the store %1 for writing (%2), although this one had it. Was "
                               "its lock file deleted? This program writes nothing more to the store.")
                          .arg(m_database->path(), holder ? holder->text() : Text::tr("unknown")));
}

Result<> SqliteStore::latched() const
{
    if (m_superseded)
        return core::fail(*m_latch);
    return core::fail(ErrorKind::StoreFailed,
                      Text::tr("The store accepts no more writes because one failed: %1").arg(m_latch->message),
                      m_latch->detail);
}

Result<> SqliteStore::transact(const Work &work)
{
    return run([this, &work](Session &session) -> Result<> {
        TRY(checkFence());
        return work(session);
    });
}

Result<> SqliteStore::run(const Work &work)
{
    if (m_latch)
        return latched();
    Q_ASSERT_X(!m_database->inTransaction(), "SqliteStore::transact", "transactions are never nested");
    TRY(m_database->begin());
    Result<> done = work(m_session);
    if (done)
        done = m_session.counters().flush();
    if (done && m_database->isDamaged()) // a caller may have ignored the error
        done = core::fail(ErrorKind::Corrupt,
                          Text::tr("The store %1 is damaged. Restore it from a backup.").arg(m_database->path()));
    const bool committing = done.has_value();
    if (committing)
        done = m_database->commit();
    if (done) {
        m_session.counters().committed();
        return {};
    }
    const Result<> undone = m_database->rollback();
    m_session.rolledBack();
    if (m_superseded)
        m_database->leaveLog();
    else if (!committing && undone && !m_database->isDamaged())
        return done;
    m_latch = done.error(); // the state on the disk is unknown: nothing may be written on top of it
    return latched();
}

Result<> SqliteStore::read(const Work &work)
{
    if (m_latch)
        return latched();
    const Result<> done = work(m_session);
    if (!done && m_database->isDamaged()) {
        m_latch = done.error();
        return latched();
    }
    return done;
}

Result<std::unique_ptr<Store>> openSqliteStore(const QString &path, Provenance provenance)
{
    core::SystemRandom random;
    return openSqliteStore(path, random, provenance);
}

Result<std::unique_ptr<Store>> openSqliteStore(const QString &path, core::Random &random, Provenance provenance)
{
    return SqliteStore::open(path, random, provenance).map([](std::unique_ptr<SqliteStore> opened) {
        return std::unique_ptr<Store>(std::move(opened));
    });
}

} // namespace store
