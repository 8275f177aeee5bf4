#include "backend/store/copy/copysource.h"
#include "backend/store/database/postgresql/postgresdatabase.h"

namespace store {

namespace {

class SchemaSource final : public CopySource
{
public:
    explicit SchemaSource(std::unique_ptr<PostgresDatabase> database)
        : m_database(std::move(database))
    {
    }

    [[nodiscard]] Database &database() override { return *m_database; }
    [[nodiscard]] QString name() const override { return m_database->path(); }

    // A sequence is no part of the transaction: it may be ahead of the rows, which does no harm.
    [[nodiscard]] Result<QHash<QString, qint64>> givenNumbers() override
    {
        QHash<QString, qint64> numbers;
        Statement rows = m_database->sql(
            QStringLiteral("SELECT name, seq FROM given_number UNION ALL"
                           " SELECT left(CAST(s.sequencename AS text), -length('_id_seq')), s.last_value"
                           " FROM pg_sequences s WHERE s.schemaname = current_schema()"
                           " AND s.sequencename LIKE '%\\_id\\_seq' AND s.last_value IS NOT NULL"));
        TRY(rows.each([&] { numbers.insert(rows.text(0), rows.integer(1)); }));
        return numbers;
    }

private:
    std::unique_ptr<PostgresDatabase> m_database;
};

} // namespace

// The target may take its time with a slice.
Result<std::unique_ptr<CopySource>> copyFromSchema(const records::StoreAddress &address)
{
    TRY(std::unique_ptr<PostgresDatabase> database, PostgresDatabase::open(address, Database::Mode::ReadOnly));
    TRY(database->sql(QStringLiteral("SET idle_in_transaction_session_timeout TO 0")).run());
    TRY(database->beginReading());
    return std::unique_ptr<CopySource>(std::make_unique<SchemaSource>(std::move(database)));
}

} // namespace store
