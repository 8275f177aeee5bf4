#pragma once

#include "backend/store/identity/storeprovenance.h"
#include "backend/store/store.h"

namespace store {

class PostgresDatabase;

// The database cluster, as initdb named it, with the database in it, and the schema. A database that was restored elsewhere
// is another machine; a standby that was promoted is the same.
[[nodiscard]] Result<StoreHome> homeInDatabase(PostgresDatabase &database);

} // namespace store
