#pragma once

#include "backend/core/random.h"
#include "backend/store/sqlite/database.h"
#include "backend/store/sqlite/sqlitesession.h"
#include "backend/store/sqlite/storelock.h"
#include "backend/store/sqlite/storeprovenance.h"
#include "backend/store/store.h"

namespace store {

// The store in one SQLite file. One thread: the one that opened it.
class SqliteStore final : public Store
{
public:
    // Takes the lock, brings the file up to date and counts the fence up. ":memory:" needs no lock and leaves nothing
    // behind. `random` gives a new store its id. Errors: Conflict (in use; says by whom), Refused (it comes from another
    // machine, and nobody has said how), and those of Database::open.
    [[nodiscard]] static Result<std::unique_ptr<SqliteStore>> open(const QString &path, core::Random &random,
                                                                   Provenance provenance = Provenance::Unknown);

    [[nodiscard]] Result<> transact(const Work &work) override;
    [[nodiscard]] Result<> read(const Work &work) override;
    [[nodiscard]] QString storeId() const override { return m_id; }
    [[nodiscard]] qint64 fence() const override { return m_fence; }
    // Where the original of this file lay: opening it now found a copy, and gave it an id of its own. Empty: it is none.
    [[nodiscard]] QString copiedFrom() const { return m_copiedFrom; }

    // Tests only: see Database::setFaultHook.
    [[nodiscard]] Database &database() { return *m_database; }

private:
    SqliteStore(std::unique_ptr<StoreLock> lock, std::unique_ptr<Database> database);
    [[nodiscard]] Result<> introduce(core::Random &random, Provenance provenance); // id, fence
    [[nodiscard]] Result<> latched() const;

    std::unique_ptr<StoreLock> m_lock; // given back last
    std::unique_ptr<Database> m_database;
    SqliteSession m_session;
    QString m_id;
    QString m_copiedFrom;
    qint64 m_fence = 0;
    std::optional<core::Error> m_latch;
};

[[nodiscard]] Result<std::unique_ptr<Store>> openSqliteStore(const QString &path,
                                                             Provenance provenance = Provenance::Unknown);
[[nodiscard]] Result<std::unique_ptr<Store>> openSqliteStore(const QString &path, core::Random &random,
                                                             Provenance provenance = Provenance::Unknown);

} // namespace store
