#include "backend/store/migrations/schema.h"

namespace store::schema {

// Notes and mutes of groups. Not tied to failure_group: the id is made from the cause, so a group that is removed and
// appears again is the same one.
QStringList groupMarks()
{
    return {QStringLiteral("CREATE TABLE group_mark ("
                           " group_id INTEGER PRIMARY KEY,"
                           " connection INTEGER NOT NULL REFERENCES connection (id),"
                           " note TEXT NOT NULL DEFAULT ''," // empty: none
                           " note_who TEXT NOT NULL DEFAULT '',"
                           " note_at INTEGER NOT NULL DEFAULT 0,"
                           " muted_until INTEGER NOT NULL DEFAULT 0," // 0, or a time that is over: not muted
                           " muted_who TEXT NOT NULL DEFAULT '',"
                           " muted_at INTEGER NOT NULL DEFAULT 0,"
                           " muted_count INTEGER NOT NULL DEFAULT 0" // unresolved when it was muted
                           ") STRICT")};
}

// When browsed-only messages expire on their brokers. Unknown expiries have no row.
QStringList expiries()
{
    return {QStringLiteral("CREATE TABLE message_expiry ("
                           " message INTEGER PRIMARY KEY REFERENCES failed_message (id),"
                           " known INTEGER NOT NULL," // records::Expiry::Known
                           " at INTEGER" // NULL: never
                           ") STRICT"),
            QStringLiteral("CREATE INDEX expiry_at ON message_expiry (at) WHERE at IS NOT NULL")};
}

} // namespace store::schema
