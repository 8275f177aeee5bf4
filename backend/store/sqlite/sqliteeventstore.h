#pragma once

#include "backend/store/eventstore.h"

namespace store {

class Database;

class SqliteEventStore final : public EventStore
{
public:
    explicit SqliteEventStore(Database &database);

    [[nodiscard]] Result<> append(const records::Event &event) override;

private:
    Database &m_database;
};

// SHA-256 over the previous hash and the fields of the entry: a changed, removed or inserted entry breaks the chain.
[[nodiscard]] QByteArray eventHash(const QByteArray &before, const records::Event &event);

} // namespace store
