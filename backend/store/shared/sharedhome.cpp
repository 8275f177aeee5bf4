#include "backend/store/shared/sharedhome.h"

#include "backend/store/database/postgresql/postgresdatabase.h"

namespace store {

// Whether another schema of this database holds the store: looked at through the catalogue, because a schema that is gone
// must not be named in a statement.
static bool isInSchema(PostgresDatabase &database, const QString &schema, const QString &id)
{
    Statement row = database.sql(QStringLiteral(
        "SELECT CASE WHEN has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') THEN"
        " CAST(query_to_xml(format('SELECT store_id FROM %I.store_meta', n.nspname), false, false, '') AS text) END"
        " FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'store_meta'"
        " WHERE n.nspname = ? AND n.nspname <> current_schema()"));
    const Result<bool> found = row.bind(schema).step();
    return found && *found && row.text(0).contains(u'>' + id + u'<');
}

Result<StoreHome> homeInDatabase(PostgresDatabase &database)
{
    Statement row = database.sql(QStringLiteral(
        "SELECT CAST(s.system_identifier AS text) || '/' || CAST(d.oid AS text), CAST(current_schema() AS text)"
        " FROM pg_control_system() s, pg_database d WHERE d.datname = current_database()"));
    TRY(const bool found, row.step());
    if (!found)
        return StoreHome{};
    return StoreHome{row.text(0), row.text(1), [&database](const QString &schema, const QString &id) {
                         return isInSchema(database, schema, id);
                     }};
}

} // namespace store
