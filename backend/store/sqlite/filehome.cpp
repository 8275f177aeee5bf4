#include "backend/store/sqlite/filehome.h"

#include "backend/store/database/sqlitedatabase.h"
#include "backend/store/database/storefile.h"

#include <QFileInfo>
#include <QSysInfo>

namespace store {

using core::Result;

namespace {

// Nor is the store that was set aside for a restored backup the one that continues.
bool holdsStore(const QString &path, const QString &id)
{
    const Result<std::unique_ptr<SqliteDatabase>> other = SqliteDatabase::open(path, Database::Mode::ReadOnly);
    if (!other)
        return false;
    const Result<std::optional<StoredIdentity>> theirs = readIdentity(**other);
    if (!theirs || !*theirs)
        return false;
    Statement former = (*other)->sql(QStringLiteral("SELECT 1 FROM former_store WHERE store_id = ?"));
    const Result<bool> setAside = former.bind(id).step();
    return (*theirs)->id == id || (setAside && *setAside);
}

} // namespace

StoreHome homeOfFile(const QString &path)
{
    if (isInMemory(path))
        return {{}, path, {}};
    const QFileInfo file(path);
    const QString place = file.exists()
                              ? file.canonicalFilePath()
                              : QFileInfo(file.absolutePath()).canonicalFilePath() + QLatin1Char('/') + file.fileName();
    return {QString::fromLatin1(QSysInfo::machineUniqueId()), place, [place](const QString &other, const QString &id) {
                const bool leadsHere = QFileInfo(other).canonicalFilePath() == place; // the old name of the same file
                return !leadsHere && holdsStore(other, id);
            }};
}

} // namespace store
