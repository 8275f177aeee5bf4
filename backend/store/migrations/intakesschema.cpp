#include "backend/store/migrations/schema.h"

namespace store::schema {

QStringList intakes()
{
    return {
        QStringLiteral("CREATE TABLE intake_run ("
                       " id INTEGER PRIMARY KEY AUTOINCREMENT,"
                       " connection INTEGER NOT NULL REFERENCES connection (id),"
                       " source_queue TEXT NOT NULL,"
                       " holding_name TEXT NOT NULL,"
                       " asked INTEGER,"
                       " state INTEGER NOT NULL,"
                       " started INTEGER NOT NULL,"
                       " page BLOB NOT NULL" // CBOR array of native ids
                       ") STRICT"),
        QStringLiteral("CREATE INDEX intake_open ON intake_run (connection, state)"),
        QStringLiteral("CREATE TABLE followed_queue ("
                       " connection INTEGER NOT NULL REFERENCES connection (id),"
                       " queue TEXT NOT NULL,"
                       " PRIMARY KEY (connection, queue)"
                       ") STRICT, WITHOUT ROWID"),
    };
}

QStringList deliveriesUsed()
{
    return {QStringLiteral("CREATE TABLE deliveries_used ("
                           " connection INTEGER NOT NULL REFERENCES connection (id),"
                           " queue TEXT NOT NULL,"
                           " looked INTEGER NOT NULL,"
                           " returned INTEGER NOT NULL,"
                           " at_head INTEGER NOT NULL,"
                           " under_way INTEGER NOT NULL,"
                           " PRIMARY KEY (connection, queue)"
                           ") STRICT, WITHOUT ROWID")};
}

QStringList intakeSteps()
{
    return {
        QStringLiteral("CREATE TABLE intake_step ("
                       " run INTEGER NOT NULL PRIMARY KEY REFERENCES intake_run (id),"
                       " nodes TEXT NOT NULL,"
                       " wanted INTEGER NOT NULL,"
                       " waiting INTEGER NOT NULL,"
                       " messages BLOB NOT NULL" // as backend/intake/steps/ writes them; empty: nothing is under way
                       ") STRICT")};
}

} // namespace store::schema
