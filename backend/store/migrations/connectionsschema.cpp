#include "backend/store/migrations/schema.h"

namespace store::schema {

QStringList connections()
{
    return {QStringLiteral("CREATE TABLE connection ("
                           " id INTEGER PRIMARY KEY AUTOINCREMENT,"
                           " name TEXT NOT NULL UNIQUE,"
                           " kind INTEGER NOT NULL,"
                           " url TEXT NOT NULL,"
                           " environment INTEGER NOT NULL,"
                           " rights INTEGER NOT NULL,"
                           " error_queues BLOB NOT NULL," // CBOR array of texts
                           " doubles_allowed INTEGER NOT NULL,"
                           " lossy_take_allowed INTEGER NOT NULL,"
                           " ca_file TEXT NOT NULL"
                           ") STRICT")};
}

// Removes a setting that nothing offered and nothing used.
QStringList withoutLossyTake()
{
    return {QStringLiteral("ALTER TABLE connection DROP COLUMN lossy_take_allowed")};
}

// Redirects: where messages are sent instead of to the queue they name. The standing ones of a connection, and those of
// one plan.
QStringList redirects()
{
    return {QStringLiteral("CREATE TABLE redirect ("
                           " connection INTEGER NOT NULL REFERENCES connection (id),"
                           " from_queue TEXT NOT NULL,"
                           " to_queue TEXT NOT NULL,"
                           " PRIMARY KEY (connection, from_queue)"
                           ") STRICT, WITHOUT ROWID"),
            QStringLiteral("ALTER TABLE retry_operation ADD COLUMN redirects BLOB NOT NULL DEFAULT x''")}; // CBOR
}

} // namespace store::schema
