#include "backend/store/backup/storebackup.h"

#include "backend/core/files/storefiles.h"
#include "backend/store/database/sqlitedatabase.h"
#include "backend/store/sqlite/storelock.h"
#include "backend/store/text.h"

#include <QFileInfo>

namespace store {

using core::ErrorKind;
using core::Result;

namespace {

Result<> refused(const QString &text)
{
    return core::fail(ErrorKind::Refused, text);
}

Result<> checkTarget(const QString &store, const QString &file, PartFile::Replace replace)
{
    const QFileInfo target(file);
    if (core::StoreFiles(store).contain(file))
        return refused(Text::tr("%1 is the store itself. Choose another file for the backup.").arg(file));
    if (!target.exists() && !target.isSymLink())
        return {};
    if (!target.isFile())
        return refused(Text::tr("%1 is not a file. Choose another one for the backup.").arg(file));
    if (replace == PartFile::Replace::No)
        return refused(
            Text::tr("%1 already exists. Choose another file, or allow Redrive to replace this one.").arg(file));
    if (const std::optional<Holder> holder = StoreLock::holder(file))
        return refused(
            Text::tr("%1 is a store in use by %2. Choose another file for the backup.").arg(file, holder->text()));
    return {};
}

// Beside the words that the store has for itself: it is the other file that could not be written.
core::Error inWords(const core::Error &error, const QString &file, qint64 bytes)
{
    if (error.kind == ErrorKind::Cancelled)
        return {ErrorKind::Cancelled, Text::tr("The backup was stopped. Nothing was written."), error.detail, {}};
    if (error.kind != ErrorKind::Transient && error.kind != ErrorKind::Unauthorized)
        return error;
    constexpr qint64 mega = 1024 * 1024;
    const QString text =
        core::hasLessRoomThan(file, bytes)
            ? Text::tr("There is not enough space for the backup %1, which needs up to %2 MB. No file was left there.")
                  .arg(file, QString::number(bytes / mega + 1))
            : Text::tr("The backup %1 could not be written. Check its disk. No file was left there.").arg(file);
    return {ErrorKind::Transient, text, error.detail, {}};
}

Result<> writeAll(Database &database, const QString &file, const std::stop_token &stop)
{
    const std::stop_callback stopped(stop, [&database] { database.interrupt(); });
    // The file stays read-only, as it was opened; only the new one is written.
    TRY(database.sql(QStringLiteral("PRAGMA query_only=0")).each([] {}));
    TRY(database.sql(QStringLiteral("VACUUM INTO ?")).bind(file).run());
    return stop.stop_requested() ? core::fail(ErrorKind::Cancelled, {}) : Result<>{}; // a small one is not interrupted
}

Result<StoreFacts> checked(const QString &part, const QString &file, const QString &storeId,
                           const std::stop_token &stop)
{
    TRY(const std::unique_ptr<SqliteDatabase> written, SqliteDatabase::open(part, Database::Mode::ReadOnly));
    Database &database = *written;
    const std::stop_callback stopped(stop, [&database] { database.interrupt(); });
    TRY(checkWhole(database, file));
    Result<StoreFacts> facts = factsOf(database);
    if (facts && facts->storeId != storeId)
        return core::fail(ErrorKind::Corrupt,
                          Text::tr("The backup %1 does not match what was written. Check its disk.").arg(file));
    return facts;
}

} // namespace

Result<StoreFacts> backUp(const QString &store, const QString &file, PartFile::Replace replace,
                          const std::stop_token &stop)
{
    TRY(const std::unique_ptr<SqliteDatabase> source, SqliteDatabase::open(store, Database::Mode::ReadOnly));
    TRY(checkTarget(store, file, replace));
    TRY(const StoreFacts before, factsOf(*source));
    TRY(PartFile part, PartFile::beside(QFileInfo(file).absoluteFilePath()));
    const Result<> done = writeAll(*source, part.path(), stop);
    if (!done)
        return core::fail(inWords(done.error(), file, before.bytes));
    const Result<StoreFacts> facts = checked(part.path(), file, before.storeId, stop);
    if (!facts)
        return core::fail(inWords(facts.error(), file, before.bytes));
    TRY(part.sync());
    TRY(part.moveTo(QFileInfo(file).absoluteFilePath(), replace));
    return facts;
}

} // namespace store
