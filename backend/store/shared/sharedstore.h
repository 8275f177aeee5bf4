#pragma once

#include "backend/core/random.h"
#include "backend/store/database/databasestore.h"
#include "backend/store/identity/storeprovenance.h"
#include "backend/store/shared/enginelease.h"

namespace store {

class PostgresDatabase;

// Store (store.h) in a schema of a PostgreSQL database, for the process that holds its lease. All calls on the thread that
// opened it.
//
// Each transaction begins with its fence: it locks the row of the lease against a takeover and writes its own number. So a
// takeover waits for the commit under way, nothing is written under a lease that is lost, and after a connection was lost
// during a commit the number says whether it happened. The store connects again by itself while its lease is trusted. When
// the lease is lost, the statement under way ends and the store is latched.
class SharedStore final : public DatabaseStore
{
public:
    // Takes the lease. Creates the schema and its tables, where the role may. Errors: EngineLease::take; Refused: the database
    // was restored or moved, and nobody has said whether the store was moved or copied.
    [[nodiscard]] static Result<std::unique_ptr<SharedStore>> open(const records::StoreAddress &address,
                                                                   core::Random &random, LeaseHolder self,
                                                                   EngineLease::Events events,
                                                                   Provenance provenance = Provenance::Unknown,
                                                                   EngineLease::Terms terms = {});
    ~SharedStore() override;

    [[nodiscard]] QString storeId() const override { return m_id; }
    [[nodiscard]] qint64 fence() const override { return m_lease->fence(); }
    // As SqliteStore::copiedFrom.
    [[nodiscard]] QString copiedFrom() const { return m_copiedFrom; }
    [[nodiscard]] const EngineLease &lease() const { return *m_lease; }

private:
    SharedStore(std::unique_ptr<EngineLease> lease, std::unique_ptr<PostgresDatabase> database);
    [[nodiscard]] Result<> introduce(core::Random &random, Provenance provenance);
    [[nodiscard]] Result<> checkFence() override;
    [[nodiscard]] Result<> reconnect() override;
    [[nodiscard]] Result<bool> wasCommitted() override;
    [[nodiscard]] Result<bool> readCommit();

    std::unique_ptr<EngineLease> m_lease; // given up before the connection is closed
    PostgresDatabase &m_server;
    QString m_id;
    QString m_copiedFrom;
    qint64 m_number = 0; // of the newest transaction
};

} // namespace store
