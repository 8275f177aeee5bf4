#include "backend/store/copy/copytarget.h"
#include "backend/store/database/postgresql/postgresdatabase.h"
#include "backend/store/migrations/storetables.h"
#include "backend/store/shared/sharedhome.h"

namespace store {

namespace {

// To make an index of millions of texts. A person can stop it, and a dead network is noticed sooner.
constexpr std::chrono::hours longestWait{24};

// All of it is one transaction, the tables too.
class SchemaTarget final : public CopyTarget
{
public:
    explicit SchemaTarget(std::unique_ptr<PostgresDatabase> database)
        : m_database(std::move(database))
    {
    }

    [[nodiscard]] Database &database() override { return *m_database; }
    [[nodiscard]] Result<> goOn() override { return {}; }
    [[nodiscard]] Result<QString> home() override
    {
        return homeInDatabase(*m_database).map([](const StoreHome &home) { return home.text(); });
    }
    [[nodiscard]] QString name() const override { return m_database->path(); }

    [[nodiscard]] Result<> setGivenNumber(const QString &table, qint64 number) override
    {
        if (number < 1)
            return {};
        Statement sequence = m_database->sql(
            QStringLiteral("SELECT setval(CAST(c.oid AS regclass), ?) FROM pg_class c WHERE c.relkind = 'S'"
                           " AND c.relnamespace = CAST(current_schema() AS regnamespace) AND c.relname = ?"));
        TRY(const bool has, sequence.bind(number, table + QStringLiteral("_id_seq")).step());
        if (has)
            return {};
        return m_database
            ->execute(QStringLiteral("INSERT INTO given_number (name, seq) VALUES (?, ?)"
                                     " ON CONFLICT (name) DO UPDATE SET seq = excluded.seq"),
                      {table, number})
            .map([](int) {});
    }

    // The planner knows the sizes of the new tables at once.
    [[nodiscard]] Result<> closeFilling() override
    {
        TRY(m_database->addIndexes());
        QStringList names{QStringLiteral("message_text"), QStringLiteral("content_text")};
        for (const schema::Table &table : schema::storeTables())
            names += table.name;
        return m_database->sql(QStringLiteral("ANALYZE ") + names.join(QStringLiteral(", "))).run().map([](int) {});
    }

    [[nodiscard]] Result<> finish() override { return m_database->commit(); }

private:
    std::unique_ptr<PostgresDatabase> m_database;
};

} // namespace

Result<std::unique_ptr<CopyTarget>> copyIntoSchema(const records::StoreAddress &address)
{
    TRY(std::unique_ptr<PostgresDatabase> database, PostgresDatabase::create(address));
    database->line().setLimit(longestWait);
    TRY(database->sql(QStringLiteral("SET LOCAL idle_in_transaction_session_timeout TO 0"))
            .run()); // the source takes its time
    return std::unique_ptr<CopyTarget>(std::make_unique<SchemaTarget>(std::move(database)));
}

} // namespace store
