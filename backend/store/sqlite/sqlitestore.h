#pragma once

#include "backend/core/random.h"
#include "backend/store/database/databasestore.h"
#include "backend/store/database/sqlitedatabase.h"
#include "backend/store/identity/storeprovenance.h"
#include "backend/store/sqlite/storelock.h"

namespace store {

// Before the connection in the order of bases: it is released when the connection has written its log and is closed.
struct HeldStoreLock
{
    std::unique_ptr<StoreLock> lock;
};

// Store (store.h) in one SQLite file. All calls on the thread that opened it.
class SqliteStore final : private HeldStoreLock, public DatabaseStore
{
public:
    // Takes the lock, migrates the file and increases the fence. ":memory:" needs no lock and leaves nothing behind.
    // `random` gives a new store its id. Errors: Conflict (in use; the message says by whom), Refused (it comes from
    // another machine and nobody has said whether it was moved or copied), and those of SqliteDatabase::open.
    //
    // Each transaction compares the fence. When another process has opened the file for writing since, because the lock
    // file was deleted or the file system knows no locks, this store writes nothing more, does not checkpoint when it is
    // closed, and latches the reason (StoreFailed).
    [[nodiscard]] static Result<std::unique_ptr<SqliteStore>> open(const QString &path, core::Random &random,
                                                                   Provenance provenance = Provenance::Unknown);

    ~SqliteStore() override;

    [[nodiscard]] QString storeId() const override { return m_id; }
    [[nodiscard]] qint64 fence() const override { return m_fence; }
    // The path of the original, if opening found that this file is a copy and gave it an id of its own. Empty: it is no
    // copy.
    [[nodiscard]] QString copiedFrom() const { return m_copiedFrom; }

private:
    SqliteStore(std::unique_ptr<StoreLock> lock, std::unique_ptr<SqliteDatabase> database);
    [[nodiscard]] Result<> introduce(core::Random &random, Provenance provenance); // id, fence
    [[nodiscard]] Result<> checkFence() override;
    void standBack() override { m_file.leaveLog(); }

    SqliteDatabase &m_file;
    QString m_id;
    QString m_copiedFrom;
    qint64 m_fence = 0;
};

[[nodiscard]] Result<std::unique_ptr<Store>> openSqliteStore(const QString &path,
                                                             Provenance provenance = Provenance::Unknown);
[[nodiscard]] Result<std::unique_ptr<Store>> openSqliteStore(const QString &path, core::Random &random,
                                                             Provenance provenance = Provenance::Unknown);

} // namespace store
