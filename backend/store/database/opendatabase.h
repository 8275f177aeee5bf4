#pragma once

#include "backend/records/address/storeaddress.h"
#include "backend/store/database/database.h"

namespace store {

// A connection to the store at this address, whichever database it is in. Errors: SqliteDatabase::open and
// PostgresDatabase::open.
[[nodiscard]] Result<std::unique_ptr<Database>> openDatabase(const records::StoreAddress &address, Database::Mode mode);

} // namespace store
