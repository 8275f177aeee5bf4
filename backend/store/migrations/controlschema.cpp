#include "backend/store/migrations/controlschema.h"

namespace store::schema {

namespace {

constexpr const char *controlStatements[] = {
    // One row for each scope, never deleted: the fence would start again. A renewal changes no key, so it does not wait for
    // transactions that hold FOR KEY SHARE; a takeover changes the fence, and does.
    "CREATE TABLE engine_lease (scope TEXT PRIMARY KEY, holder TEXT NOT NULL, fence bigint NOT NULL, "
    "expires_at timestamptz NOT NULL, taken_at timestamptz NOT NULL DEFAULT clock_timestamp(), host TEXT NOT NULL, "
    "pid bigint NOT NULL, version TEXT NOT NULL, kind bigint NOT NULL, who TEXT NOT NULL, "
    "role TEXT NOT NULL DEFAULT session_user, wanted_at timestamptz, UNIQUE (scope, fence))",
    // The newest transaction of a holder that was committed.
    "CREATE TABLE last_commit (id bigint PRIMARY KEY CHECK (id = 1), fence bigint NOT NULL, number bigint NOT NULL) "
    "WITH (fillfactor = 10)",
    "CREATE TABLE holder_greeting (id bigint PRIMARY KEY CHECK (id = 1), fence bigint NOT NULL, "
    "protocol bigint NOT NULL, passing boolean NOT NULL, seen_at timestamptz NOT NULL, key bytea NOT NULL)",
    // At most as long as a message of the control socket. The payload is emptied with the answer: it may be long.
    "CREATE TABLE request (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
    "asked_at timestamptz NOT NULL DEFAULT clock_timestamp(), role TEXT NOT NULL DEFAULT session_user, "
    "asker uuid NOT NULL, number bigint NOT NULL, who TEXT NOT NULL, protocol bigint NOT NULL, "
    "payload bytea NOT NULL CHECK (octet_length(payload) <= 167772160), taken_fence bigint, taken_by uuid, "
    "answered_at timestamptz, answer bytea, UNIQUE (asker, number))",
    "CREATE INDEX request_open ON request (id) WHERE taken_fence IS NULL AND answered_at IS NULL",
    "CREATE INDEX request_taken ON request (taken_by, id) WHERE taken_fence IS NOT NULL AND answered_at IS NULL",
    // Not worth keeping over a crash of the server, and written often.
    "CREATE UNLOGGED TABLE holder_snapshot (id bigint PRIMARY KEY CHECK (id = 1), fence bigint NOT NULL, "
    "sequence bigint NOT NULL, at timestamptz NOT NULL, payload bytea NOT NULL)",
    "CREATE UNLOGGED TABLE listener (asker uuid PRIMARY KEY, role TEXT NOT NULL DEFAULT session_user, "
    "seen_at timestamptz NOT NULL, listens boolean NOT NULL)",
    "ALTER TABLE request ENABLE ROW LEVEL SECURITY",
    "CREATE POLICY own_request ON request FOR SELECT USING (role = session_user)",
    "CREATE POLICY own_question ON request FOR INSERT WITH CHECK (role = session_user AND taken_fence IS NULL "
    "AND answered_at IS NULL)",
    "CREATE POLICY own_withdrawal ON request FOR DELETE USING (role = session_user "
    "AND (taken_fence IS NULL OR answered_at IS NOT NULL))",
    "ALTER TABLE listener ENABLE ROW LEVEL SECURITY",
    "CREATE POLICY own_presence ON listener USING (role = session_user) WITH CHECK (role = session_user)",
};

QString quotedName(const QString &name)
{
    return u'"' + QString(name).replace(u'"', QStringLiteral("\"\"")) + u'"';
}

} // namespace

QStringList controlTables()
{
    QStringList all;
    for (const char *const text : controlStatements)
        all += QString::fromLatin1(text).replace(QStringLiteral(" TEXT"), QStringLiteral(" text COLLATE \"C\""));
    return all;
}

// `%1`: the schema. Roles belong to the whole server, so they may exist already, for another store.
QString roles(const QString &schemaName)
{
    const QString script = QStringLiteral(
        "-- Roles of the Redrive store in the schema %1. Run this as the owner of its tables: the role that opened "
        "the\n"
        "-- store first. The first time it creates roles. Run it again after an update of Redrive. It takes nothing "
        "away.\n"
        "-- Then give each person one of the roles, as with GRANT redrive_support TO alice.\n"
        "BEGIN;\n"
        "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'redrive_engine') THEN\n"
        "    CREATE ROLE redrive_engine NOLOGIN; END IF; END $$;\n"
        "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'redrive_support') THEN\n"
        "    CREATE ROLE redrive_support NOLOGIN; END IF; END $$;\n"
        "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'redrive_viewer') THEN\n"
        "    CREATE ROLE redrive_viewer NOLOGIN; END IF; END $$;\n"
        "\n"
        "-- redrive_engine does all: it works for the store, so give it to redrive run and to those who may work for "
        "it.\n"
        "GRANT USAGE ON SCHEMA %1 TO redrive_engine, redrive_support, redrive_viewer;\n"
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %1 TO redrive_engine;\n"
        "GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA %1 TO redrive_engine;\n"
        "GRANT SELECT ON ALL SEQUENCES IN SCHEMA %1 TO redrive_support, redrive_viewer;\n"
        "DROP POLICY IF EXISTS all_requests ON %1.request;\n"
        "CREATE POLICY all_requests ON %1.request TO redrive_engine USING (true) WITH CHECK (true);\n"
        "DROP POLICY IF EXISTS all_listeners ON %1.listener;\n"
        "CREATE POLICY all_listeners ON %1.listener TO redrive_engine USING (true) WITH CHECK (true);\n"
        "\n"
        "-- redrive_support and redrive_viewer read, and say that they are there.\n"
        "GRANT SELECT ON ALL TABLES IN SCHEMA %1 TO redrive_support, redrive_viewer;\n"
        "GRANT INSERT (asker, seen_at, listens), UPDATE (seen_at, listens), DELETE ON %1.listener\n"
        "    TO redrive_support, redrive_viewer;\n"
        "\n"
        "-- redrive_support also asks. Row security: in its own name only, and no request or answer can be changed.\n"
        "GRANT INSERT (asker, number, who, protocol, payload), DELETE ON %1.request TO redrive_support;\n"
        "COMMIT;\n");
    return QString(script).replace(QStringLiteral("%1"), quotedName(schemaName));
}

} // namespace store::schema
