#include "backend/store/messages/conventionstore.h"

#include "backend/records/conventions/conventionfile.h"
#include "backend/store/database/database.h"
#include "backend/store/text.h"

namespace store {

using core::ErrorKind;
using core::fail;

Result<records::Conventions> conventionsFrom(Statement &rows)
{
    records::Conventions conventions;
    core::Error damage;
    QString damaged;
    TRY(rows.each([&] {
        const Result<records::Convention> convention = records::conventionFrom(rows.blob(1));
        if (convention) {
            conventions.append(*convention);
            return;
        }
        damaged = rows.text(0);
        damage = convention.error();
    }));
    if (!damaged.isEmpty())
        return fail(ErrorKind::Corrupt,
                    Text::tr("The stored convention %1 is damaged. Remove it, or set it again.").arg(damaged),
                    damage.message);
    return conventions;
}

ConventionStore::ConventionStore(Database &database)
    : m_database(database)
{
}

Result<> ConventionStore::set(const records::Convention &convention, const Decided &by)
{
    {
        Statement count = m_database.sql(QStringLiteral("SELECT count(*) FROM convention WHERE name <> ?"));
        TRY(count.bind(convention.name).step());
        if (count.integer(0) >= records::mostConventions)
            return fail(ErrorKind::Rejected,
                        Text::tr("There are %1 conventions already. Remove one that is no longer needed.")
                            .arg(records::mostConventions));
    }
    m_known.reset();
    TRY(m_database
            .sql(QStringLiteral("INSERT INTO convention (name, definition, set_by, set_at) VALUES (?, ?, ?, ?)"
                                " ON CONFLICT (name) DO UPDATE SET definition = excluded.definition,"
                                " set_by = excluded.set_by, set_at = excluded.set_at"))
            .bind(convention.name, records::toJson(convention), by.who, by.at)
            .run());
    return {};
}

Result<> ConventionStore::remove(const QString &name)
{
    m_known.reset();
    TRY(const int removed, m_database.sql(QStringLiteral("DELETE FROM convention WHERE name = ?")).bind(name).run());
    if (removed == 0)
        return fail(ErrorKind::NotFound, Text::tr("There is no convention named %1.").arg(name));
    return {};
}

Result<> ConventionStore::renameConnection(const QString &from, const QString &to, const Decided &by)
{
    TRY(const records::Conventions known, all());
    for (records::Convention convention : known) {
        if (convention.isFor.connection != from)
            continue;
        convention.isFor.connection = to;
        TRY(set(convention, by));
    }
    return {};
}

Result<records::Conventions> ConventionStore::all()
{
    if (!m_known) {
        Statement rows = m_database.sql(QStringLiteral("SELECT name, definition FROM convention ORDER BY name"));
        TRY(m_known, conventionsFrom(rows));
    }
    return *m_known;
}

} // namespace store
