#pragma once

#include "backend/store/conventionstore.h"

#include <optional>

namespace store {

class Database;
class Statement;

// Rows of a name and a definition. Corrupt: a definition cannot be read.
[[nodiscard]] Result<records::Conventions> conventionsFrom(Statement &rows);

class SqliteConventionStore final : public ConventionStore
{
public:
    explicit SqliteConventionStore(Database &database);

    [[nodiscard]] Result<> set(const records::Convention &convention, const Decided &by) override;
    [[nodiscard]] Result<> remove(const QString &name) override;
    [[nodiscard]] Result<records::Conventions> all() override;

    // The transaction was rolled back: what is in memory may be wrong.
    void rolledBack() { m_known.reset(); }

private:
    Database &m_database;
    std::optional<records::Conventions> m_known;
};

} // namespace store
