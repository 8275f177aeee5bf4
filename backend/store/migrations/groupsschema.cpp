#include "backend/store/migrations/schema.h"

namespace store::schema {

// The transaction that writes the members keeps the counts, by group and queue: so a group list limited to one queue is
// as exact and as fast as a whole one.
QStringList groups()
{
    const QString counts = QStringLiteral(" unresolved INTEGER NOT NULL,"
                                          " retry_issued INTEGER NOT NULL,"
                                          " resolved INTEGER NOT NULL,"
                                          " archived INTEGER NOT NULL,"
                                          " released INTEGER NOT NULL,");
    return {
        QStringLiteral("CREATE TABLE failure_group ("
                       " id INTEGER PRIMARY KEY," // hash of connection, classifier and title
                       " connection INTEGER NOT NULL REFERENCES connection (id),"
                       " classifier INTEGER NOT NULL,"
                       " title TEXT NOT NULL"
                       ") STRICT"),
        QStringLiteral("CREATE INDEX group_classifier ON failure_group (classifier, connection)"),
        QStringLiteral("CREATE TABLE group_count ("
                       " group_id INTEGER NOT NULL REFERENCES failure_group (id),"
                       " queue TEXT NOT NULL,")
            + counts
            + QStringLiteral(" came_back INTEGER NOT NULL," // members that came back at least once
                             " first_failed INTEGER NOT NULL,"
                             " last_failed INTEGER NOT NULL,"
                             " PRIMARY KEY (group_id, queue)"
                             ") STRICT, WITHOUT ROWID"),
        QStringLiteral("CREATE TABLE queue_count ("
                       " connection INTEGER NOT NULL REFERENCES connection (id),"
                       " queue TEXT NOT NULL,")
            + counts + QStringLiteral(" PRIMARY KEY (connection, queue)) STRICT, WITHOUT ROWID"),
    };
}

// looked_at: browsed-only records among the unresolved ones. An older program would send such records back.
QStringList browsedOnly()
{
    const QString column = QStringLiteral(" ADD COLUMN looked_at INTEGER NOT NULL DEFAULT 0");
    return {QStringLiteral("ALTER TABLE group_count") + column, QStringLiteral("ALTER TABLE queue_count") + column};
}

// unknown: messages whose state is unknown since a backup was restored.
QStringList unknownStates()
{
    const QString column = QStringLiteral(" ADD COLUMN unknown INTEGER NOT NULL DEFAULT 0");
    return {QStringLiteral("ALTER TABLE group_count") + column, QStringLiteral("ALTER TABLE queue_count") + column};
}

// Which cause has the group whose id is the hash of its title: another cause with the same title gets a group of its own.
// 0: the group is of an older program, and the next message with this title says it.
QStringList groupCauses()
{
    return {QStringLiteral("ALTER TABLE failure_group ADD COLUMN cause INTEGER NOT NULL DEFAULT 0")};
}

} // namespace store::schema
