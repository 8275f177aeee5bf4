#include "backend/store/migrations/schema.h"

namespace store {
namespace schema {

// The texts of a row that a search reads. `filtersql.cpp` checks hits against the same texts.
static QString searched(const QString &row)
{
    return QStringLiteral(
               "%1.exception_type || char(10) || %1.exception_message || char(10) || %1.message_type || char(10)"
               " || %1.message_id || char(10) || %1.unique_id || char(10) || %1.queue")
        .arg(row);
}

// Three-letter pieces of these texts. Only row numbers are kept (detail=none, no content): a hit is checked against the
// row itself. Triggers keep the index up to date, whoever writes.
QStringList search()
{
    return {
        QStringLiteral(
            "CREATE VIRTUAL TABLE message_text USING fts5 (text, content='', tokenize='trigram', detail=none,"
            " columnsize=0)"),
        QStringLiteral("INSERT INTO message_text (rowid, text) SELECT id, %1 FROM failed_message")
            .arg(searched(QStringLiteral("failed_message"))),
        QStringLiteral("CREATE TRIGGER message_text_insert AFTER INSERT ON failed_message BEGIN"
                       " INSERT INTO message_text (rowid, text) VALUES (new.id, %1); END")
            .arg(searched(QStringLiteral("new"))),
        QStringLiteral(
            "CREATE TRIGGER message_text_update AFTER UPDATE OF exception_type, exception_message, message_type,"
            " message_id, queue ON failed_message BEGIN"
            " INSERT INTO message_text (message_text, rowid, text) VALUES ('delete', old.id, %1);"
            " INSERT INTO message_text (rowid, text) VALUES (new.id, %2); END")
            .arg(searched(QStringLiteral("old")), searched(QStringLiteral("new"))),
        QStringLiteral("CREATE TRIGGER message_text_delete AFTER DELETE ON failed_message BEGIN"
                       " INSERT INTO message_text (message_text, rowid, text) VALUES ('delete', old.id, %1); END")
            .arg(searched(QStringLiteral("old"))),
    };
}

// A trigger opens a savepoint for each row, at which FTS5 writes out its pending index: one segment for every message.
// So new rows are indexed by one statement at the end of their transaction (searchNewMessages), and the remaining
// triggers touch only rows that are in the index: those up to store_meta.last_message, which is written right after it.
// A message that failed again mostly has the same texts: then there is nothing to index.
QStringList searchInPages()
{
    const QString indexed = QStringLiteral("old.id <= (SELECT last_message FROM store_meta)");
    return {
        QStringLiteral("DROP TRIGGER message_text_insert"),
        QStringLiteral("DROP TRIGGER message_text_update"),
        QStringLiteral("DROP TRIGGER message_text_delete"),
        QStringLiteral(
            "CREATE TRIGGER message_text_update AFTER UPDATE OF exception_type, exception_message, message_type,"
            " message_id, queue ON failed_message WHEN %1 AND %2 IS NOT %3 BEGIN"
            " INSERT INTO message_text (message_text, rowid, text) VALUES ('delete', old.id, %2);"
            " INSERT INTO message_text (rowid, text) VALUES (new.id, %3); END")
            .arg(indexed, searched(QStringLiteral("old")), searched(QStringLiteral("new"))),
        QStringLiteral("CREATE TRIGGER message_text_delete AFTER DELETE ON failed_message WHEN %1 BEGIN"
                       " INSERT INTO message_text (message_text, rowid, text) VALUES ('delete', old.id, %2); END")
            .arg(indexed, searched(QStringLiteral("old"))),
    };
}

// The words of headers and bodies. There are many, so the index follows in steps of its own (TextIndex): `searched` is
// the id that it has reached. Only row numbers are kept, as above.
QStringList searchContents()
{
    return {
        QStringLiteral("ALTER TABLE store_meta ADD COLUMN searched INTEGER NOT NULL DEFAULT 0"),
        QStringLiteral("CREATE VIRTUAL TABLE content_text USING fts5 (text, content='',"
                       " tokenize='unicode61 remove_diacritics 0', detail=none, columnsize=0)"),
    };
}

} // namespace schema

QString searchNewMessages()
{
    return QStringLiteral("INSERT INTO message_text (rowid, text) SELECT m.id, %1 FROM failed_message m WHERE m.id > ?")
        .arg(schema::searched(QStringLiteral("m")));
}

} // namespace store
