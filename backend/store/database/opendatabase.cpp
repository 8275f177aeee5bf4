#include "backend/store/database/opendatabase.h"

#include "backend/store/database/postgresql/postgresdatabase.h"
#include "backend/store/database/sqlitedatabase.h"

namespace store {

Result<std::unique_ptr<Database>> openDatabase(const records::StoreAddress &address, Database::Mode mode)
{
    if (address.isShared())
        return PostgresDatabase::open(address, mode);
    return SqliteDatabase::open(address.file, mode);
}

} // namespace store
