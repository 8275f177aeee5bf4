#include "backend/store/migrations/schema.h"

namespace store::schema {

// The sets are in retry_member, in their frozen order; operation and batch keep the counts of their members, one column
// for each outcome. A claim is never deleted: `attempt` counts the retries of a message in its whole life, `live` says
// whether (operation, ordinal) owns it now.
static QStringList operationTables()
{
    const QString counts = QStringLiteral(" pending INTEGER NOT NULL DEFAULT 0,"
                                          " claimed INTEGER NOT NULL DEFAULT 0,"
                                          " staged INTEGER NOT NULL DEFAULT 0,"
                                          " sent INTEGER NOT NULL DEFAULT 0,"
                                          " skipped INTEGER NOT NULL DEFAULT 0,"
                                          " ejected INTEGER NOT NULL DEFAULT 0,"
                                          " in_doubt INTEGER NOT NULL DEFAULT 0,"
                                          " cancelled INTEGER NOT NULL DEFAULT 0,"
                                          " came_back INTEGER NOT NULL DEFAULT 0,"
                                          " possible_duplicates INTEGER NOT NULL DEFAULT 0");
    return {
        QStringLiteral("CREATE TABLE retry_operation ("
                       " id INTEGER PRIMARY KEY AUTOINCREMENT,"
                       " connection INTEGER NOT NULL REFERENCES connection (id),"
                       " kind INTEGER NOT NULL,"
                       " state INTEGER NOT NULL,"
                       " hand_over INTEGER NOT NULL,"
                       " scope TEXT NOT NULL,"
                       " who TEXT NOT NULL,"
                       " plan_limit INTEGER,"
                       " on_unknown INTEGER NOT NULL,"
                       " include_looped INTEGER NOT NULL,"
                       " reason TEXT NOT NULL,"
                       " total INTEGER NOT NULL DEFAULT 0,"
                       " requested INTEGER NOT NULL,"
                       " started INTEGER,"
                       " finished INTEGER,"
                       " waiting_reason TEXT NOT NULL,"
                       " dismissed INTEGER NOT NULL DEFAULT 0,")
            + counts + QStringLiteral(") STRICT"),
        QStringLiteral("CREATE INDEX operation_open ON retry_operation (connection, id) WHERE finished IS NULL"),
        QStringLiteral("CREATE TABLE retry_batch ("
                       " id INTEGER PRIMARY KEY AUTOINCREMENT,"
                       " operation INTEGER NOT NULL REFERENCES retry_operation (id),"
                       " connection INTEGER NOT NULL,"
                       " number INTEGER NOT NULL,"
                       " first_ordinal INTEGER NOT NULL,"
                       " last_ordinal INTEGER NOT NULL,"
                       " session TEXT NOT NULL,"
                       " stage INTEGER NOT NULL,"
                       " staging_id TEXT NOT NULL DEFAULT '',"
                       " place TEXT NOT NULL DEFAULT '',"
                       " mark TEXT NOT NULL DEFAULT '',"
                       " staged_count INTEGER NOT NULL DEFAULT 0,")
            + counts + QStringLiteral(") STRICT"),
        QStringLiteral("CREATE INDEX batch_operation ON retry_batch (operation, number)"),
        QStringLiteral("CREATE INDEX batch_live ON retry_batch (connection, id) WHERE stage < 3"), // not Done
    };
}

static QStringList memberTables()
{
    return {
        QStringLiteral("CREATE TABLE retry_member ("
                       " operation INTEGER NOT NULL REFERENCES retry_operation (id),"
                       " ordinal INTEGER NOT NULL,"
                       " message INTEGER NOT NULL REFERENCES failed_message (id),"
                       " destination TEXT NOT NULL,"
                       " batch INTEGER NOT NULL DEFAULT 0,"
                       " outcome INTEGER NOT NULL DEFAULT 0,"
                       " attempt INTEGER NOT NULL DEFAULT 0,"
                       " stage_attempts INTEGER NOT NULL DEFAULT 0,"
                       " intent INTEGER NOT NULL DEFAULT 0,"
                       " came_back INTEGER NOT NULL DEFAULT 0,"
                       " possible_duplicate INTEGER NOT NULL DEFAULT 0,"
                       " reason TEXT NOT NULL DEFAULT '',"
                       " PRIMARY KEY (operation, ordinal)"
                       ") STRICT, WITHOUT ROWID"),
        QStringLiteral("CREATE INDEX member_batch ON retry_member"
                       " (batch, outcome, intent, came_back, possible_duplicate) WHERE batch > 0"),
        QStringLiteral("CREATE INDEX member_free ON retry_member (operation, ordinal)"
                       " WHERE batch = 0 AND outcome = 0"),
        QStringLiteral("CREATE INDEX member_doubt ON retry_member (operation, ordinal) WHERE outcome = 6"),
        QStringLiteral("CREATE INDEX member_came_back ON retry_member (operation, message) WHERE came_back = 1"),
        QStringLiteral("CREATE INDEX member_message ON retry_member (message)"),
        QStringLiteral("CREATE TABLE claim ("
                       " message INTEGER PRIMARY KEY REFERENCES failed_message (id),"
                       " operation INTEGER NOT NULL,"
                       " ordinal INTEGER NOT NULL,"
                       " attempt INTEGER NOT NULL,"
                       " live INTEGER NOT NULL"
                       ") STRICT"),
        QStringLiteral("CREATE TABLE now_forwarding ("
                       " connection INTEGER PRIMARY KEY,"
                       " batch INTEGER NOT NULL REFERENCES retry_batch (id)"
                       ") STRICT"),
    };
}

QStringList retries()
{
    return operationTables() + memberTables();
}

// The group of the failure for which a message was sent back: it shows whether the message came back with another
// cause.
QStringList causes()
{
    return {QStringLiteral("ALTER TABLE retry_member ADD COLUMN cause INTEGER NOT NULL DEFAULT 0")};
}

// The rate and the start time.
QStringList paces()
{
    return {QStringLiteral("ALTER TABLE retry_operation ADD COLUMN per_minute INTEGER"),
            QStringLiteral("ALTER TABLE retry_operation ADD COLUMN not_before INTEGER")};
}

// How the claim of a message ended that did not come back: store::ClaimEndReason, when, and by which person.
QStringList closures()
{
    return {QStringLiteral("ALTER TABLE retry_member ADD COLUMN closure INTEGER NOT NULL DEFAULT 0"),
            QStringLiteral("ALTER TABLE retry_member ADD COLUMN closed_at INTEGER"),
            QStringLiteral("ALTER TABLE retry_member ADD COLUMN closed_by TEXT NOT NULL DEFAULT ''")};
}

// The ramp of an operation (records::Ramp, as text) and its stop rule. depths_before: the message counts of the
// destinations before the current step, as JSON. operation_source: the queues the messages were taken from and (aim 1)
// those they are sent to: where they may come back; aim 2: those in which their endpoints answer, if the operation is watched
// for nothing else after its end. turn: members of a ramp are sent in this order, so that each step
// is a mixture.
QStringList cautions()
{
    return {QStringLiteral("ALTER TABLE retry_operation ADD COLUMN ramp TEXT NOT NULL DEFAULT ''"),
            QStringLiteral("ALTER TABLE retry_operation ADD COLUMN stop_when TEXT NOT NULL DEFAULT ''"),
            QStringLiteral("ALTER TABLE retry_operation ADD COLUMN most_waiting INTEGER"),
            QStringLiteral("ALTER TABLE retry_operation ADD COLUMN stopped_because TEXT NOT NULL DEFAULT ''"),
            QStringLiteral("ALTER TABLE retry_operation ADD COLUMN proved_steps INTEGER NOT NULL DEFAULT 0"),
            QStringLiteral("ALTER TABLE retry_operation ADD COLUMN forgiven INTEGER NOT NULL DEFAULT 0"),
            QStringLiteral("ALTER TABLE retry_operation ADD COLUMN sent_before INTEGER NOT NULL DEFAULT 0"),
            QStringLiteral("ALTER TABLE retry_operation ADD COLUMN depths_before TEXT NOT NULL DEFAULT '{}'"),
            QStringLiteral("CREATE TABLE operation_source ("
                           " operation INTEGER NOT NULL REFERENCES retry_operation (id),"
                           " queue TEXT NOT NULL,"
                           " aim INTEGER NOT NULL,"
                           " PRIMARY KEY (operation, aim, queue)"
                           ") STRICT, WITHOUT ROWID"),
            QStringLiteral("ALTER TABLE retry_member ADD COLUMN turn INTEGER NOT NULL DEFAULT 0"),
            QStringLiteral("DROP INDEX member_free"),
            QStringLiteral("CREATE INDEX member_free ON retry_member (operation, turn, ordinal)"
                           " WHERE batch = 0 AND outcome = 0")};
}

// The edit of an operation, as JSON (records::editFrom). Stored apart from its row, which changes with every outcome,
// because it may contain a whole body.
QStringList edits()
{
    return {QStringLiteral("CREATE TABLE operation_edit ("
                           " operation INTEGER PRIMARY KEY REFERENCES retry_operation (id),"
                           " edit BLOB NOT NULL"
                           ") STRICT")};
}

// records::PausedBy, and which person. Older files do not say who paused what; only a stop rule left its reason.
// Whatever "Pause all" may have paused waits for a person there too: that is the safe choice.
QStringList pauses()
{
    return {QStringLiteral("ALTER TABLE retry_operation ADD COLUMN paused_by INTEGER NOT NULL DEFAULT 0"),
            QStringLiteral("ALTER TABLE retry_operation ADD COLUMN paused_who TEXT NOT NULL DEFAULT ''"),
            QStringLiteral("ALTER TABLE retry_operation ADD COLUMN paused_at INTEGER"),
            QStringLiteral("ALTER TABLE retry_operation ADD COLUMN rested INTEGER NOT NULL DEFAULT 0"),
            QStringLiteral("UPDATE retry_operation SET paused_by = iif(stopped_because <> '', 3, 1) WHERE state = 4")};
}

// Whether a person accepts what full destinations drop, and whether the copies keep their order.
QStringList deliveryChoices()
{
    return {QStringLiteral("ALTER TABLE retry_operation ADD COLUMN accept_drops INTEGER NOT NULL DEFAULT 0"),
            QStringLiteral("ALTER TABLE retry_operation ADD COLUMN keep_order INTEGER NOT NULL DEFAULT 0")};
}

// Whether endpoints are asked to confirm what they handled.
QStringList endpointAnswers()
{
    return {QStringLiteral("ALTER TABLE retry_operation ADD COLUMN ask_endpoints INTEGER NOT NULL DEFAULT 0")};
}

// How much of the broker's time a retry may take, in percent.
QStringList brokerShares()
{
    return {QStringLiteral("ALTER TABLE retry_operation ADD COLUMN broker_share INTEGER")};
}

// Whether a person retries possible duplicates, too.
QStringList chosenDuplicates()
{
    return {QStringLiteral("ALTER TABLE retry_operation ADD COLUMN include_duplicates INTEGER NOT NULL DEFAULT 0")};
}

// The groups of an operation's messages when they were frozen: the causes it is for.
QStringList operationGroups()
{
    QStringList all{QStringLiteral("CREATE TABLE operation_group ("
                                   " group_id INTEGER NOT NULL,"
                                   " operation INTEGER NOT NULL REFERENCES retry_operation (id),"
                                   " PRIMARY KEY (group_id, operation)"
                                   ") STRICT, WITHOUT ROWID")};
    for (int i = 0; i < 5; ++i) {
        all += QStringLiteral("INSERT OR IGNORE INTO operation_group (group_id, operation)"
                              " SELECT DISTINCT f.group%1, o.id FROM retry_operation o"
                              " JOIN retry_member m ON m.operation = o.id JOIN failed_message f ON f.id = m.message"
                              " WHERE o.finished IS NULL AND f.group%1 IS NOT NULL")
                   .arg(i);
    }
    return all;
}

} // namespace store::schema
