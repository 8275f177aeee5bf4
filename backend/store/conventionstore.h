#pragma once

#include "backend/records/convention.h"
#include "backend/store/messagestore.h"

namespace store {

// Conventions of one's own. Each call is part of the caller's transaction (store.h); all() also works in Store::read.
// Engine thread. Corrupt from any call that reads: a stored convention is damaged; it can still be removed or set again.
class ConventionStore
{
public:
    ConventionStore() = default;
    ConventionStore(const ConventionStore &) = delete;
    ConventionStore &operator=(const ConventionStore &) = delete;
    virtual ~ConventionStore() = default;

    // Adds a convention, or replaces the one of this name. Rejected: there are records::mostConventions already.
    [[nodiscard]] virtual Result<> set(const records::Convention &convention, const Decided &by) = 0;
    // NotFound: there is no convention of this name.
    [[nodiscard]] virtual Result<> remove(const QString &name) = 0;
    // In the order in which they are applied. Kept in memory: intake reads it for every page.
    [[nodiscard]] virtual Result<records::Conventions> all() = 0;
};

} // namespace store
