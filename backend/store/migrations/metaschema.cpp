#include "backend/store/migrations/schema.h"

namespace store::schema {

// One row: the id of the store, and its numbers that only grow.
QStringList meta()
{
    return {QStringLiteral("CREATE TABLE store_meta ("
                           " id INTEGER PRIMARY KEY CHECK (id = 1),"
                           " store_id TEXT NOT NULL,"
                           " fence INTEGER NOT NULL," // + 1 with every opening for writing
                           " change INTEGER NOT NULL," // the newest change number of a failed message
                           " last_message INTEGER NOT NULL," // ids are never given twice, also after a removal
                           " home TEXT NOT NULL" // machine and path: how a copied file is told from its original
                           ") STRICT")};
}

QStringList pauseAll()
{
    return {QStringLiteral("ALTER TABLE store_meta ADD COLUMN all_paused INTEGER NOT NULL DEFAULT 0")};
}

// Earlier ids of this store, one for each restored backup.
QStringList formerStores()
{
    return {QStringLiteral("CREATE TABLE former_store (store_id TEXT PRIMARY KEY, until INTEGER NOT NULL)"
                           " STRICT, WITHOUT ROWID")};
}

} // namespace store::schema
