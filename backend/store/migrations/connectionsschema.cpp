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

// Until then Redrive took from every queue in which dead letters arrive. Live queues were among them, so a person is
// asked once about each of those queues.
QStringList foundQueues()
{
    return {QStringLiteral("CREATE TABLE found_queue ("
                           " connection INTEGER NOT NULL REFERENCES connection (id),"
                           " queue TEXT NOT NULL,"
                           " PRIMARY KEY (connection, queue)"
                           ") STRICT, WITHOUT ROWID"),
            QStringLiteral("INSERT INTO found_queue SELECT connection, source_queue FROM intake_run"
                           " UNION SELECT connection, queue FROM followed_queue")};
}

} // namespace store::schema
