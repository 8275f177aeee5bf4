#include "backend/store/sqlite/storeprovenance.h"

#include "backend/store/database/sqlitedatabase.h"
#include "backend/store/database/storefile.h"
#include "backend/store/text.h"

#include <QFileInfo>
#include <QSysInfo>

namespace store {

using core::Result;

namespace {

struct Meta
{
    QString id;
    qint64 fence = 0;
    QString home;
};

Result<std::optional<Meta>> readMeta(Database &database)
{
    Statement meta = database.sql(QStringLiteral("SELECT store_id, fence, home FROM store_meta"));
    TRY(const bool row, meta.step());
    if (!row)
        return std::optional<Meta>();
    return std::optional<Meta>(Meta{meta.text(0), meta.integer(1), meta.text(2)});
}

// The detail of the error: other refusals have other causes.
const QString provenanceQuestion = QStringLiteral("moved or copied");

// Only a person can know this, so a person is asked.
Result<Provenance> provenanceOf(const Meta &meta, const QString &home, Provenance said)
{
    const QString machine = home.section(QLatin1Char(' '), 0, 0);
    const QString lastMachine = meta.home.section(QLatin1Char(' '), 0, 0);
    if (meta.home == home || machine.isEmpty() || lastMachine.isEmpty())
        return Provenance::Moved;
    const QString lastPath = meta.home.section(QLatin1Char(' '), 1);
    if (said != Provenance::Unknown)
        return said;
    if (lastMachine != machine) {
        return core::fail(
            core::ErrorKind::Refused,
            Text::tr(
                "The store %1 was last used on another machine as %2. Was it moved or copied? Start once with "
                "--store-was moved or --store-was copied. The retries of a copy stay paused until you resume them.")
                .arg(home.section(QLatin1Char(' '), 1), lastPath),
            provenanceQuestion);
    }
    if (QFileInfo(lastPath).canonicalFilePath() == home.section(QLatin1Char(' '), 1))
        return Provenance::Moved; // the old name leads here
    const Result<std::unique_ptr<SqliteDatabase>> other = SqliteDatabase::open(lastPath, Database::Mode::ReadOnly);
    if (!other)
        return Provenance::Moved;
    const Result<std::optional<Meta>> theirs = readMeta(**other);
    if (!theirs || !*theirs)
        return Provenance::Moved;
    // Nor is the store that was set aside for a restored backup the one that continues.
    Statement former = (*other)->sql(QStringLiteral("SELECT 1 FROM former_store WHERE store_id = ?"));
    const Result<bool> setAside = former.bind(meta.id).step();
    const bool copied = (*theirs)->id == meta.id || (setAside && *setAside);
    return copied ? Provenance::Copied : Provenance::Moved;
}

} // namespace

bool asksForProvenance(const core::Error &error)
{
    return error.kind == core::ErrorKind::Refused && error.detail == provenanceQuestion;
}

QString homeOf(const QString &path)
{
    if (isInMemory(path))
        return path;
    const QFileInfo file(path);
    const QString place = file.exists()
                              ? file.canonicalFilePath()
                              : QFileInfo(file.absolutePath()).canonicalFilePath() + QLatin1Char('/') + file.fileName();
    return QString::fromLatin1(QSysInfo::machineUniqueId()) + QLatin1Char(' ') + place;
}

Result<StoreIdentity> introduceStore(Database &database, core::Random &random, Provenance provenance)
{
    TRY(const std::optional<Meta> found, readMeta(database));
    const QString home = homeOf(database.path());
    if (!found) {
        const StoreIdentity self{random.hexId(), 1, {}};
        return database
            .sql(QStringLiteral("INSERT INTO store_meta (store_id, fence, home, id, change, last_message)"
                                " VALUES (?, ?, ?, 1, 0, 0)"))
            .bind(self.id, self.fence, home)
            .run()
            .map([&](int) { return self; });
    }
    TRY(const Provenance is, provenanceOf(*found, home, provenance));
    const bool copied = is == Provenance::Copied;
    const QString original = found->home.section(QLatin1Char(' '), 1);
    const StoreIdentity self{copied ? random.hexId() : found->id, found->fence + 1, copied ? original : QString()};
    return database.sql(QStringLiteral("UPDATE store_meta SET store_id = ?, fence = ?, home = ?"))
        .bind(self.id, self.fence, home)
        .run()
        .map([&](int) { return self; });
}

} // namespace store
