#include "backend/store/migrations/schema.h"

namespace store::schema {

// Append-only: triggers refuse changes, and each entry carries the hash of the previous one, so that a change made with
// another program is noticed.
QStringList events()
{
    return {
        QStringLiteral("CREATE TABLE event_log ("
                       " sequence INTEGER PRIMARY KEY AUTOINCREMENT,"
                       " at INTEGER NOT NULL,"
                       " severity INTEGER NOT NULL,"
                       " who TEXT NOT NULL,"
                       " what TEXT NOT NULL,"
                       " on_what TEXT NOT NULL,"
                       " result TEXT NOT NULL,"
                       " hash BLOB NOT NULL"
                       ") STRICT"),
        QStringLiteral("CREATE TRIGGER event_no_update BEFORE UPDATE ON event_log"
                       " BEGIN SELECT raise(ABORT, 'the audit trail is append-only'); END"),
        QStringLiteral("CREATE TRIGGER event_no_delete BEFORE DELETE ON event_log"
                       " BEGIN SELECT raise(ABORT, 'the audit trail is append-only'); END"),
    };
}

} // namespace store::schema
