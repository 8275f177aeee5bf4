#include "backend/core/files/partfile.h"
#include "backend/store/copy/copytarget.h"
#include "backend/store/database/sqlitedatabase.h"
#include "backend/store/migrations/schema.h"
#include "backend/store/sqlite/filehome.h"
#include "backend/store/text.h"

#include <QFileInfo>

namespace store {

using core::ErrorKind;
using core::PartFile;

namespace {

// "RDRP" in the header: whoever opens the file of a copy that did not end is told that it is no store.
constexpr qint64 idOfAPart = 0x52445250;

class FileTarget final : public CopyTarget
{
public:
    FileTarget(QString path, PartFile part)
        : m_path(std::move(path))
        , m_part(std::move(part))
    {
    }
    ~FileTarget() override { m_database.reset(); } // before its file is removed

    [[nodiscard]] Result<> open()
    {
        TRY(m_database, SqliteDatabase::open(m_part.path(), Database::Mode::Write));
        TRY(mark(idOfAPart));
        return m_database->begin();
    }

    [[nodiscard]] Database &database() override { return *m_database; }
    [[nodiscard]] Result<QString> home() override { return homeOfFile(m_path).text(); }
    [[nodiscard]] QString name() const override { return m_path; }

    [[nodiscard]] Result<> goOn() override
    {
        TRY(m_database->commit());
        return m_database->begin();
    }

    [[nodiscard]] Result<> closeFilling() override { return {}; }

    // Only tables that never give a number twice have a row there.
    [[nodiscard]] Result<> setGivenNumber(const QString &table, qint64 number) override
    {
        TRY(m_database->execute(QStringLiteral("DELETE FROM sqlite_sequence WHERE name = ?"), {table}));
        return m_database
            ->execute(QStringLiteral("INSERT INTO sqlite_sequence (name, seq) SELECT ?, ? FROM sqlite_schema"
                                     " WHERE type = 'table' AND name = ? AND sql LIKE '%AUTOINCREMENT%'"),
                      {table, number, table})
            .map([](int) {});
    }

    [[nodiscard]] Result<> finish() override
    {
        TRY(m_database->commit());
        TRY(mark(applicationId));
        m_database.reset(); // writes its log into the file
        if (QFileInfo(m_part.path() + QStringLiteral("-wal")).size() > 0)
            return core::fail(ErrorKind::Transient,
                              Text::tr("The copy %1 could not be written. Check its disk.").arg(m_path));
        TRY(m_part.sync());
        return m_part.moveTo(m_path, PartFile::Replace::No);
    }

private:
    [[nodiscard]] Result<> mark(qint64 id)
    {
        return m_database->sql(QStringLiteral("PRAGMA application_id=%1").arg(id)).each([] {});
    }

    QString m_path;
    PartFile m_part;
    std::unique_ptr<SqliteDatabase> m_database;
};

} // namespace

Result<std::unique_ptr<CopyTarget>> copyIntoFile(const QString &path)
{
    const QFileInfo file(path);
    if (file.exists() || file.isSymLink() || QFileInfo::exists(path + QStringLiteral("-wal")))
        return core::fail(ErrorKind::Refused,
                          Text::tr("%1 already exists. Choose another place for the copy.").arg(path));
    TRY(PartFile part, PartFile::beside(file.absoluteFilePath()));
    auto target = std::make_unique<FileTarget>(file.absoluteFilePath(), std::move(part));
    TRY(target->open());
    return std::unique_ptr<CopyTarget>(std::move(target));
}

} // namespace store
