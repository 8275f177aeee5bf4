#include "backend/store/migrations/schema.h"

namespace store::schema {

// Recovery policies, what they are for, and the messages under them. A message is under one assignment at most. Counts of
// messages are not kept: one index answers what is due next and how many there are.
QStringList policies()
{
    return {
        QStringLiteral("CREATE TABLE policy ("
                       " name TEXT PRIMARY KEY,"
                       " definition BLOB NOT NULL," // JSON, recovery::policyFrom
                       " version INTEGER NOT NULL,"
                       " paused_at INTEGER," // NULL: it is not paused
                       " paused_who TEXT NOT NULL DEFAULT '',"
                       " paused_why TEXT NOT NULL DEFAULT '',"
                       " retried INTEGER NOT NULL DEFAULT 0,"
                       " came_back INTEGER NOT NULL DEFAULT 0,"
                       " resolved INTEGER NOT NULL DEFAULT 0"
                       ") STRICT, WITHOUT ROWID"),
        QStringLiteral("CREATE TABLE policy_assignment ("
                       " id INTEGER PRIMARY KEY AUTOINCREMENT,"
                       " policy TEXT NOT NULL REFERENCES policy (name),"
                       " kind INTEGER NOT NULL," // recovery::Scope::Of
                       " connection INTEGER NOT NULL," // 0: all
                       " queue TEXT NOT NULL,"
                       " group_id INTEGER NOT NULL,"
                       " rule TEXT NOT NULL," // JSON, recovery::ruleFrom; empty: none
                       " consecutive INTEGER NOT NULL DEFAULT 0," // from here on recovery::LimitState
                       " last_failure INTEGER NOT NULL DEFAULT 0,"
                       " limit_started INTEGER," // NULL: it was never limited
                       " limit_ended INTEGER,"
                       " failures_before INTEGER NOT NULL DEFAULT 0,"
                       " failed_probes INTEGER NOT NULL DEFAULT 0,"
                       " UNIQUE (kind, connection, queue, group_id, rule)"
                       ") STRICT"),
        QStringLiteral("CREATE TABLE policy_message ("
                       " message INTEGER PRIMARY KEY REFERENCES failed_message (id),"
                       " connection INTEGER NOT NULL,"
                       " assignment INTEGER NOT NULL," // may be gone: see HeldMessageStore::detachOrphans
                       " version INTEGER NOT NULL,"
                       " state INTEGER NOT NULL," // recovery::HeldState
                       " failed INTEGER NOT NULL," // from here on recovery::Progress
                       " in_round INTEGER NOT NULL,"
                       " delayed INTEGER NOT NULL,"
                       " first_failure INTEGER NOT NULL,"
                       " last_delayed INTEGER,"
                       " attempts INTEGER NOT NULL,"
                       " is_delayed INTEGER NOT NULL,"
                       " decided_at INTEGER NOT NULL,"
                       " next_attempt INTEGER,"
                       " deliver_at INTEGER,"
                       " operation INTEGER NOT NULL,"
                       " has_left INTEGER NOT NULL,"
                       " reason TEXT NOT NULL"
                       ") STRICT"),
        QStringLiteral("CREATE INDEX policy_message_due ON policy_message (assignment, state, next_attempt,"
                       " deliver_at)"),
        QStringLiteral("CREATE INDEX policy_message_in_retry ON policy_message (message) WHERE state = 1"),
        QStringLiteral("ALTER TABLE store_meta ADD COLUMN policies_followed INTEGER NOT NULL DEFAULT 0"),
        QStringLiteral("ALTER TABLE retry_operation ADD COLUMN policy TEXT NOT NULL DEFAULT ''"),
        QStringLiteral("ALTER TABLE retry_operation ADD COLUMN assignment INTEGER NOT NULL DEFAULT 0"),
        QStringLiteral("ALTER TABLE retry_operation ADD COLUMN settled INTEGER NOT NULL DEFAULT 0"),
        // When the broker delivers the copy of a member, and the last one of an operation; NULL: at once.
        QStringLiteral("ALTER TABLE retry_member ADD COLUMN deliver_at INTEGER"),
        QStringLiteral("ALTER TABLE retry_operation ADD COLUMN delivers_until INTEGER"),
        QStringLiteral("CREATE INDEX operation_of_policy ON retry_operation (id) WHERE policy <> '' AND settled = 0"),
        // A policy begins hundreds of operations a day: what is read again and again looks only at those that it is about.
        QStringLiteral("CREATE INDEX operation_listed ON retry_operation (id) WHERE dismissed = 0"),
        QStringLiteral("CREATE INDEX operation_in_doubt ON retry_operation (connection, in_doubt) WHERE in_doubt > 0"),
        QStringLiteral("CREATE INDEX operation_watched ON retry_operation (connection, finished + watch_back)"
                       " WHERE watch_back > 0"),
        QStringLiteral("CREATE INDEX group_of_operation ON operation_group (operation)"),
    };
}

// What belongs to a message and its failure, whatever policy it is under. `since`, of an assignment: it is for failures
// that the store learnt after this change number; `failed_in`, of a message: the change number of its newest failure after
// the first one. `body`: the digest of the body that a retry sends, by which a return without our headers is known;
// `returned_as`: the record that such a return became, 0 for none.
QStringList policyMemory()
{
    return {
        QStringLiteral("ALTER TABLE policy_assignment ADD COLUMN since INTEGER NOT NULL DEFAULT 0"),
        QStringLiteral("ALTER TABLE failed_message ADD COLUMN failed_in INTEGER NOT NULL DEFAULT 0"),
        QStringLiteral("ALTER TABLE policy_message ADD COLUMN body TEXT NOT NULL DEFAULT ''"),
        QStringLiteral("ALTER TABLE policy_message ADD COLUMN returned_as INTEGER NOT NULL DEFAULT 0"),
        QStringLiteral(
            "CREATE INDEX policy_message_body ON policy_message (body, operation) WHERE body <> '' AND state = 1"),
        QStringLiteral("CREATE INDEX policy_message_returned ON policy_message (operation) WHERE returned_as <> 0"),
    };
}

} // namespace store::schema
