#include "backend/store/copy/copysource.h"
#include "backend/store/database/sqlitedatabase.h"

namespace store {

namespace {

class FileSource final : public CopySource
{
public:
    explicit FileSource(std::unique_ptr<SqliteDatabase> database)
        : m_database(std::move(database))
    {
    }
    ~FileSource() override { (void)m_database->rollback(); }

    [[nodiscard]] Database &database() override { return *m_database; }
    [[nodiscard]] QString name() const override { return m_database->path(); }

    [[nodiscard]] Result<QHash<QString, qint64>> givenNumbers() override
    {
        QHash<QString, qint64> numbers;
        Statement rows = m_database->sql(QStringLiteral("SELECT name, seq FROM sqlite_sequence"));
        TRY(rows.each([&] { numbers.insert(rows.text(0), rows.integer(1)); }));
        return numbers;
    }

private:
    std::unique_ptr<SqliteDatabase> m_database;
};

} // namespace

Result<std::unique_ptr<CopySource>> copyFromFile(const QString &path)
{
    TRY(std::unique_ptr<SqliteDatabase> database, SqliteDatabase::open(path, Database::Mode::ReadOnly));
    TRY(database->beginReading());
    return std::unique_ptr<CopySource>(std::make_unique<FileSource>(std::move(database)));
}

} // namespace store
