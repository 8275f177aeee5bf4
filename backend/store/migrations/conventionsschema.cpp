#include "backend/store/migrations/schema.h"

namespace store::schema {

// Conventions of one's own, those that an operation was frozen with, and with which a message was read. receipt: what the
// broker said beside a message (records::Receipt), so that it can be read again.
QStringList conventions()
{
    return {QStringLiteral("CREATE TABLE convention ("
                           " name TEXT PRIMARY KEY,"
                           " definition BLOB NOT NULL," // JSON, records::conventionFrom
                           " set_by TEXT NOT NULL,"
                           " set_at INTEGER NOT NULL"
                           ") STRICT, WITHOUT ROWID"),
            QStringLiteral("CREATE TABLE operation_convention ("
                           " operation INTEGER NOT NULL REFERENCES retry_operation (id),"
                           " name TEXT NOT NULL,"
                           " definition BLOB NOT NULL,"
                           " PRIMARY KEY (operation, name)"
                           ") STRICT, WITHOUT ROWID"),
            QStringLiteral("CREATE TABLE message_convention ("
                           " message INTEGER NOT NULL REFERENCES failed_message (id),"
                           " convention TEXT NOT NULL," // may be removed since
                           " PRIMARY KEY (message, convention)"
                           ") STRICT, WITHOUT ROWID"),
            QStringLiteral("CREATE INDEX convention_of_messages ON message_convention (convention)"),
            QStringLiteral("ALTER TABLE message_content ADD COLUMN receipt BLOB NOT NULL DEFAULT x''")};
}

} // namespace store::schema
