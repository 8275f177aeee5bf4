#include "backend/store/migrations/schema.h"

#include "backend/records/rules/retentionpolicy.h"

namespace store::schema {

// took: ms from sending to the newest failure. quiet, takes_to_fail: how long a step of a ramp waits, and why; frozen
// with the set. sent_from, sent_until: the copies of a batch were sent between these two times. settled: no member of
// the batch waits for proof by a quiet period any more. watched_queue: intervals in which returning messages would have
// been seen. member_gone: counts of members whose messages were removed by retention, so that counts stay what they
// were.
QStringList evidence()
{
    QString gone;
    for (const char *outcome : {"pending", "claimed", "staged", "sent", "skipped", "ejected", "in_doubt", "cancelled",
                                "came_back", "possible_duplicates"})
        gone += QStringLiteral(" %1 INTEGER NOT NULL,").arg(QLatin1String(outcome));
    return {
        QStringLiteral("ALTER TABLE failed_message ADD COLUMN took INTEGER"),
        QStringLiteral("ALTER TABLE retry_operation ADD COLUMN quiet INTEGER NOT NULL DEFAULT 90000"),
        QStringLiteral("ALTER TABLE retry_operation ADD COLUMN takes_to_fail INTEGER"),
        QStringLiteral("ALTER TABLE retry_operation ADD COLUMN watch_back INTEGER NOT NULL DEFAULT 0"),
        QStringLiteral("ALTER TABLE retry_batch ADD COLUMN sent_from INTEGER"),
        QStringLiteral("ALTER TABLE retry_batch ADD COLUMN sent_until INTEGER"),
        QStringLiteral("ALTER TABLE retry_batch ADD COLUMN settled INTEGER NOT NULL DEFAULT 0"),
        QStringLiteral("CREATE INDEX batch_unsettled ON retry_batch (connection, id)"
                       " WHERE settled = 0 AND sent_until IS NOT NULL"),
        QStringLiteral("ALTER TABLE retry_member ADD COLUMN quiet_for INTEGER"),
        QStringLiteral("CREATE TABLE watched_queue ("
                       " connection INTEGER NOT NULL REFERENCES connection (id),"
                       " queue TEXT NOT NULL,"
                       " since INTEGER NOT NULL,"
                       " until INTEGER NOT NULL,"
                       " PRIMARY KEY (connection, queue, since)"
                       ") STRICT, WITHOUT ROWID"),
        QStringLiteral("CREATE TABLE quiet_rule ("
                       " connection INTEGER PRIMARY KEY REFERENCES connection (id),"
                       " after INTEGER" // ms; NULL: a quiet period proves nothing
                       ") STRICT"),
        QStringLiteral("CREATE TABLE operation_mark ("
                       " operation INTEGER NOT NULL REFERENCES retry_operation (id),"
                       " at INTEGER NOT NULL,"
                       " kind INTEGER NOT NULL,"
                       " step INTEGER NOT NULL,"
                       " PRIMARY KEY (operation, at, kind, step)"
                       ") STRICT, WITHOUT ROWID"),
        QStringLiteral("CREATE TABLE member_gone ("
                       " operation INTEGER NOT NULL REFERENCES retry_operation (id),"
                       " batch INTEGER NOT NULL,")
            + gone + QStringLiteral(" PRIMARY KEY (operation, batch)) STRICT, WITHOUT ROWID"),
    };
}

// expiring: which messages are resolved or archived, and since when; it is filled from the changed messages, and
// swept_change is how far. The owner of a store that already holds messages was never told that some are removed: there
// nothing is removed until somebody sets it.
QStringList retention()
{
    return {
        QStringLiteral("CREATE TABLE keeping ("
                       " id INTEGER PRIMARY KEY CHECK (id = 1),"
                       " resolved INTEGER," // ms; NULL: for ever
                       " archived INTEGER,"
                       " swept_change INTEGER NOT NULL DEFAULT 0"
                       ") STRICT"),
        QStringLiteral("INSERT INTO keeping (id, resolved, archived) SELECT 1, iif(used, NULL, %1), iif(used, NULL, %1)"
                       " FROM (SELECT EXISTS (SELECT 1 FROM failed_message) AS used)")
            .arg(records::defaultRetention.count()),
        QStringLiteral("CREATE TABLE expiring ("
                       " message INTEGER PRIMARY KEY,"
                       " status INTEGER NOT NULL,"
                       " since INTEGER NOT NULL"
                       ") STRICT"),
        QStringLiteral("CREATE INDEX expiring_since ON expiring (status, since)"),
    };
}

} // namespace store::schema
