#pragma once

#include "backend/records/rules/connectionuse.h"
#include "backend/store/connectionstore.h"

namespace store {

class TransactionCounters;
class Database;

class SqliteConnectionStore final : public ConnectionStore
{
public:
    SqliteConnectionStore(Database &database, TransactionCounters &books);

    [[nodiscard]] Result<core::ConnectionId> add(const records::Connection &connection) override;
    [[nodiscard]] Result<> update(const records::Connection &connection) override;
    [[nodiscard]] Result<> remove(core::ConnectionId id) override;
    [[nodiscard]] Result<QList<records::Connection>> all() override;
    [[nodiscard]] Result<qint64> inRetryFrom(core::ConnectionId id, const QString &queue) override;
    [[nodiscard]] Result<QList<records::Redirect>> redirects(core::ConnectionId id) override;
    [[nodiscard]] Result<> addRedirect(core::ConnectionId id, const records::Redirect &redirect) override;
    [[nodiscard]] Result<> removeRedirect(core::ConnectionId id, const QString &from) override;

private:
    [[nodiscard]] Result<records::ConnectionUse> useOf(core::ConnectionId id);

    Database &m_database;
    TransactionCounters &m_books;
};

// Shared with the read-only side.
[[nodiscard]] Result<QList<records::Connection>> allConnections(Database &database);

} // namespace store
