#include "backend/store/sqlite/sqlitestore.h"

#include "backend/store/database/storefile.h"
#include "backend/store/identity/storecopy.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/sqlite/filehome.h"
#include "backend/store/text.h"

namespace store {

using core::ErrorKind;

SqliteStore::SqliteStore(std::unique_ptr<StoreLock> held, std::unique_ptr<SqliteDatabase> database)
    : HeldStoreLock{std::move(held)}
    , DatabaseStore(std::move(database))
    , m_file(static_cast<SqliteDatabase &>(this->database()))
{
}

SqliteStore::~SqliteStore()
{
    const Result<> mine = m_fence == 0 ? Result<>{} : checkFence(); // closing writes into the file, too
    if (!mine)
        m_file.leaveLog();
}

// Before any file is created beside it.
static Result<> refuseForeignFile(const QString &path)
{
    if (bearsOurMark(path))
        return {};
    const Result<std::unique_ptr<SqliteDatabase>> browsed = SqliteDatabase::open(path, Database::Mode::ReadOnly);
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
    TRY(std::unique_ptr<SqliteDatabase> database, SqliteDatabase::open(path, Database::Mode::Write));
    std::unique_ptr<SqliteStore> opened(new SqliteStore(std::move(lock), std::move(database)));
    TRY(opened->introduce(random, provenance));
    return opened;
}

Result<> SqliteStore::introduce(core::Random &random, Provenance provenance)
{
    TRY(load());
    return run([this, &random, provenance](Session &session) -> Result<> {
        TRY(const StoreIdentity self, introduceStore(m_file, random, provenance, homeOfFile(m_file.path())));
        m_id = self.id;
        m_fence = self.fence;
        m_copiedFrom = self.copiedFrom;
        TRY(session.intakes().removeDone());
        return m_copiedFrom.isEmpty() ? Result<>{} : partFromOriginal(session, m_file.path(), m_copiedFrom);
    });
}

Result<> SqliteStore::checkFence()
{
    Statement meta = m_file.sql(QStringLiteral("SELECT fence FROM store_meta"));
    TRY(const bool row, meta.step());
    if (row && meta.integer(0) == m_fence)
        return {};
    const std::optional<Holder> holder = StoreLock::holder(m_file.path());
    return core::fail(ErrorKind::StoreFailed,
                      Text::tr("Another program opened the store %1 for writing (%2), although this one had it. Was "
                               "its lock file deleted? This program writes nothing more to the store.")
                          .arg(m_file.path(), holder ? holder->text() : Text::tr("unknown")));
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
