#pragma once

#include "backend/core/random.h"
#include "backend/store/database/databasestore.h"
#include "backend/store/query/queries.h"
#include "tests/support/pipeline/postgresserver.h"

#include <QTemporaryDir>

namespace support {

// The address of a store on this server.
[[nodiscard]] records::StoreAddress sharedStore(const PostgresServer &server, const QString &schema);

// The store at this address, as its one writer.
[[nodiscard]] std::unique_ptr<store::DatabaseStore> openStore(const records::StoreAddress &address,
                                                              core::Random &random);

// Where the stores of a test are. Tests of repositories and queries run on both databases: with
// REDRIVE_TEST_STORE=postgresql each store is a schema of its own, on a PostgreSQL that the program starts once; otherwise
// it is SQLite's, in memory or in a file.
class StorePlace final
{
public:
    enum class On { Memory, Disk }; // of SQLite; only what is on the disk can be asked

    [[nodiscard]] static bool isPostgres();
    // A new store. The one before must be gone.
    [[nodiscard]] std::unique_ptr<store::DatabaseStore> open(core::Random &random, On on = On::Memory);
    // Where the next one will be: reopen() makes it.
    [[nodiscard]] records::StoreAddress nextAddress(On on = On::Memory);
    // The newest one again, as by a new start of the program.
    [[nodiscard]] std::unique_ptr<store::DatabaseStore> reopen(core::Random &random) const;
    // The console's side of the newest one.
    [[nodiscard]] std::unique_ptr<store::Queries> queries(store::Queries::Now now = {}) const;

private:
    QTemporaryDir m_folder;
    records::StoreAddress m_address; // of the newest one
};

} // namespace support

// First in init() or initTestCase() of a test that uses StorePlace.
#define REDRIVE_SKIP_WITHOUT_DATABASE()                                                                                \
    do {                                                                                                               \
        if (support::StorePlace::isPostgres() && !support::PostgresServer::isInstalled())                              \
            QSKIP("PostgreSQL 15 and Qt's driver for it are not installed: postgresql-15, libqt6sql6-psql.");          \
    } while (false)
