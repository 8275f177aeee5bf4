#pragma once

#include "backend/records/conventions/convention.h"
#include "backend/store/messages/messagestore.h"

#include <optional>

namespace store {

class Database;
class Statement;

// Conventions of one's own. Each call is part of the caller's transaction (store.h); all() also works in Store::read.
// Engine thread. Corrupt from any call that reads: a stored convention is damaged; it can still be removed or set again.
class ConventionStore final
{
public:
    explicit ConventionStore(Database &database);
    ConventionStore(const ConventionStore &) = delete;
    ConventionStore &operator=(const ConventionStore &) = delete;

    // Adds a convention, or replaces the one of this name. Rejected: there are records::mostConventions already.
    [[nodiscard]] Result<> set(const records::Convention &convention, const Decided &by);
    // NotFound: there is no convention of this name.
    [[nodiscard]] Result<> remove(const QString &name);
    // A connection got another name: the conventions that are for it follow.
    [[nodiscard]] Result<> renameConnection(const QString &from, const QString &to, const Decided &by);
    // In the order in which they are applied. Kept in memory: intake reads it for every page.
    [[nodiscard]] Result<records::Conventions> all();

    // The transaction was rolled back: what is in memory may be wrong.
    void rolledBack() { m_known.reset(); }

private:
    Database &m_database;
    std::optional<records::Conventions> m_known;
};

// Rows of a name and a definition. Corrupt: a definition cannot be read.
[[nodiscard]] Result<records::Conventions> conventionsFrom(Statement &rows);

} // namespace store
