#include "backend/store/migrations/schema.h"

namespace store::schema {

// failed_message is narrow, because every list, count and frozen set scans it: headers and bodies are in
// message_content, stack traces in processing_attempt. group0 .. group4 are the memberships, one for each classifier.
static QStringList messageTables()
{
    return {
        QStringLiteral("CREATE TABLE destination ("
                       " id INTEGER PRIMARY KEY,"
                       " queue TEXT NOT NULL,"
                       " certainty INTEGER NOT NULL,"
                       " known_from TEXT NOT NULL,"
                       " UNIQUE (queue, certainty, known_from)"
                       ") STRICT"),
        QStringLiteral("CREATE TABLE failed_message ("
                       " id INTEGER PRIMARY KEY,"
                       " unique_id TEXT NOT NULL UNIQUE,"
                       " connection INTEGER NOT NULL REFERENCES connection (id),"
                       " queue TEXT NOT NULL,"
                       " dialect TEXT NOT NULL,"
                       " status INTEGER NOT NULL,"
                       " change INTEGER NOT NULL,"
                       " created INTEGER NOT NULL," // the change number of the insert
                       " native_key INTEGER NOT NULL," // hash of connection, queue and native id
                       " native_id TEXT NOT NULL,"
                       " message_id TEXT NOT NULL,"
                       " message_type TEXT NOT NULL,"
                       " correlation_id TEXT NOT NULL,"
                       " conversation_id TEXT NOT NULL,"
                       " exception_type TEXT NOT NULL,"
                       " exception_message TEXT NOT NULL," // cut to limits::listTextChars
                       " endpoint TEXT NOT NULL,"
                       " host TEXT NOT NULL,"
                       " failed_at INTEGER,"
                       " first_failed INTEGER NOT NULL,"
                       " last_failed INTEGER NOT NULL,"
                       " attempts INTEGER NOT NULL,"
                       " came_back INTEGER NOT NULL,"
                       " destination INTEGER NOT NULL REFERENCES destination (id),"
                       " flags INTEGER NOT NULL,"
                       " body_size INTEGER NOT NULL,"
                       " group0 INTEGER, group1 INTEGER, group2 INTEGER, group3 INTEGER, group4 INTEGER"
                       ") STRICT"),
        QStringLiteral("CREATE TABLE message_content ("
                       " message INTEGER PRIMARY KEY REFERENCES failed_message (id),"
                       " headers BLOB NOT NULL,"
                       " properties BLOB NOT NULL,"
                       " exchange TEXT NOT NULL,"
                       " routing_key TEXT NOT NULL,"
                       " body BLOB NOT NULL"
                       ") STRICT"),
        // The key is message * attemptsKept + (number - 1) % attemptsKept: a new attempt replaces the oldest.
        QStringLiteral("CREATE TABLE processing_attempt ("
                       " id INTEGER PRIMARY KEY,"
                       " number INTEGER NOT NULL,"
                       " taken_at INTEGER NOT NULL,"
                       " queue TEXT NOT NULL,"
                       " failed_at INTEGER,"
                       " endpoint TEXT NOT NULL,"
                       " host TEXT NOT NULL,"
                       " exception_type TEXT NOT NULL,"
                       " exception_message TEXT NOT NULL,"
                       " stack_trace TEXT NOT NULL"
                       ") STRICT"),
    };
}

// Every order of a list has an index that begins with the status; SQLite adds the row id to each index.
static QStringList messageIndexes()
{
    QStringList all{
        QStringLiteral("CREATE INDEX message_native ON failed_message (native_key)"),
        QStringLiteral("CREATE INDEX message_change ON failed_message (change)"),
        QStringLiteral("CREATE INDEX message_failed ON failed_message (connection, status, last_failed)"),
        QStringLiteral("CREATE INDEX message_queue ON failed_message (status, queue)"),
        QStringLiteral("CREATE INDEX message_queue_failed ON failed_message (queue, status, last_failed)"),
        QStringLiteral("CREATE INDEX message_type ON failed_message (status, message_type)"),
        QStringLiteral("CREATE INDEX message_exception ON failed_message (status, exception_type)"),
        QStringLiteral("CREATE INDEX message_attempts ON failed_message (status, attempts)"),
        QStringLiteral("CREATE INDEX message_size ON failed_message (status, body_size)"),
    };
    for (int i = 0; i < 5; ++i) {
        all += QStringLiteral("CREATE INDEX message_group%1_failed ON failed_message (group%1, status, last_failed)")
                   .arg(i);
    }
    return all;
}

QStringList messages()
{
    return messageTables() + messageIndexes();
}

// A copy that was read before is recognised by its intake run, not by this index: each insert paid for an index that
// nothing used.
QStringList withoutNativeKey()
{
    return {QStringLiteral("DROP INDEX message_native"),
            QStringLiteral("ALTER TABLE failed_message DROP COLUMN native_key")};
}

// Older files have indexes that are the beginning of others: each costs time with every change of a status, and nothing
// uses them any more.
QStringList withoutTwinIndexes()
{
    QStringList all{QStringLiteral("DROP INDEX IF EXISTS message_status")};
    for (int i = 0; i < 5; ++i)
        all += QStringLiteral("DROP INDEX IF EXISTS message_group%1").arg(i);
    return all;
}

// Decisions of people about a message without a retry: the status it got, when, and by whom. For its history.
QStringList decisions()
{
    return {QStringLiteral("CREATE TABLE message_decision ("
                           " message INTEGER NOT NULL REFERENCES failed_message (id),"
                           " at INTEGER NOT NULL,"
                           " status INTEGER NOT NULL,"
                           " who TEXT NOT NULL,"
                           " PRIMARY KEY (message, at, status)"
                           ") STRICT, WITHOUT ROWID")};
}

// Where the messages that were imported from a file come from: which message of which store, and what happened to them
// there (a list of records::TrailEntry in CBOR).
QStringList imports()
{
    return {QStringLiteral("CREATE TABLE message_import ("
                           " message INTEGER PRIMARY KEY REFERENCES failed_message (id),"
                           " at INTEGER NOT NULL,"
                           " who TEXT NOT NULL,"
                           " file TEXT NOT NULL,"
                           " store TEXT NOT NULL,"
                           " unique_id TEXT NOT NULL,"
                           " status INTEGER NOT NULL,"
                           " trail BLOB NOT NULL"
                           ") STRICT")};
}

// What the file said about the message (records::FileFacts in CBOR). Empty: an older program imported it, and the record
// itself still says it.
QStringList importedFacts()
{
    return {QStringLiteral("ALTER TABLE message_import ADD COLUMN facts BLOB NOT NULL DEFAULT x''")};
}

} // namespace store::schema
