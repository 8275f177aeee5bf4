#include "backend/store/migrations/schema.h"

namespace store::schema {

// AUTOINCREMENT: an id never names another pipeline later.
QStringList pipelines()
{
    return {QStringLiteral("CREATE TABLE pipeline ("
                           " id INTEGER PRIMARY KEY AUTOINCREMENT,"
                           " name TEXT NOT NULL UNIQUE,"
                           " url TEXT NOT NULL," // without a password
                           " rights INTEGER NOT NULL," // records::Rights
                           " columns BLOB NOT NULL," // the column file; empty: the usual names
                           " connection INTEGER REFERENCES connection (id) ON DELETE SET NULL"
                           ") STRICT")};
}

} // namespace store::schema
