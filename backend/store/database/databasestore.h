#pragma once

#include "backend/store/database/database.h"
#include "backend/store/store.h"

namespace store {

// Store (store.h) on a connection to a database: its transactions, and that nothing is written after one of them failed.
class DatabaseStore : public Store
{
public:
    ~DatabaseStore() override;

    using Store::read;
    using Store::transact;
    [[nodiscard]] Result<> transact(const Work &work) final;
    [[nodiscard]] Result<> read(const Work &work) final;

    // For tests: see Database::setFaultHook.
    [[nodiscard]] Database &database() { return *m_database; }

protected:
    explicit DatabaseStore(std::unique_ptr<Database> database);

    // At the beginning of each transaction: an error that says who writes to the store now, if it is not this one. Nothing
    // is written any more then.
    [[nodiscard]] virtual Result<> checkFence() = 0;
    // Another one writes to the store now; called once.
    virtual void standBack() {}
    // After the connection to a server was lost: connects again. An error ends all writing.
    [[nodiscard]] virtual Result<> reconnect() { return m_database->reconnect(); }
    // The connection was lost while a transaction was being committed: whether it is in the database. Error: nobody knows.
    [[nodiscard]] virtual Result<bool> wasCommitted();

    [[nodiscard]] Result<> load(); // first of all: what the session keeps in memory
    [[nodiscard]] Result<> run(const Work &work); // one transaction, whoever writes to the store

private:
    [[nodiscard]] Result<> latched() const;
    [[nodiscard]] Result<> latch(const core::Error &error);
    [[nodiscard]] Result<> reach(); // a connection
    [[nodiscard]] Result<> attempt(const Work &work); // all of a transaction up to its commit
    [[nodiscard]] Result<> end(const core::Error &error, bool committing);

    std::unique_ptr<Database> m_database;
    Session m_session;
    std::optional<core::Error> m_latch;
    bool m_superseded = false; // another one writes to the store
};

} // namespace store
