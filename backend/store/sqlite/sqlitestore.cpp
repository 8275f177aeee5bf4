#include "backend/store/sqlite/sqlitestore.h"

#include "backend/store/database/storefile.h"
#include "backend/store/database/transactioncounters.h"
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
    return transact([this, &random, provenance](Session &session) -> Result<> {
        TRY(const StoreIdentity self, introduceStore(*m_database, random, provenance));
        m_id = self.id;
        m_fence = self.fence;
        m_copiedFrom = self.copiedFrom;
        return m_copiedFrom.isEmpty() ? Result<>{} : partFromOriginal(session, m_database->path(), m_copiedFrom);
    });
}

Result<> SqliteStore::latched() const
{
    return core::fail(ErrorKind::StoreFailed,
                      Text::tr("The store accepts no more writes because one failed: %1").arg(m_latch->message),
                      m_latch->detail);
}

Result<> SqliteStore::transact(const Work &work)
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
    if (!committing && undone && !m_database->isDamaged())
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
