// The newest format of a store in PostgreSQL: it has no past, so nothing is migrated. The tables and their columns are those of
// SQLite; beside them it has given_number (SQL_LAST_GIVEN_NUMBER), store_format, the number of the format, and the tables of
// controlschema.h.
#pragma once

#include <QString>
#include <QStringList>

#include <span>

namespace store::schema {

// The definitions of the tables that both databases have (storetables.h reads them), each after those that it refers to.
[[nodiscard]] std::span<const char *const> tableDefinitions();
// Tables and what the statements need beside them, for the schema that is first in the search path.
[[nodiscard]] QStringList postgres();
// Their indexes: adding them after many rows is faster than before.
[[nodiscard]] QStringList postgresIndexes();
// The index for pieces of texts, where the extension pg_trgm is in this schema. Without it a search for pieces reads them all.
[[nodiscard]] QString postgresPieces(const QString &extensionSchema);

} // namespace store::schema
