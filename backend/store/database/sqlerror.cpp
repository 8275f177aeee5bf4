#include "backend/store/database/sqlerror.h"

#include "backend/store/text.h"

#include <QFileInfo>
#include <QSqlError>
#include <QStorageInfo>

#include <sqlite3.h>

namespace store {

using core::Error;
using core::ErrorKind;

static QString fullText()
{
    return Text::tr("The disk that holds the store %1 is full. Free some space and try again.");
}

static bool isFull(const QString &path)
{
    constexpr qint64 leastBytes = 64 * 1024;
    const QStorageInfo disk(QFileInfo(path).absolutePath());
    return disk.isValid() && disk.bytesAvailable() < leastBytes;
}

Error sqlError(const QSqlError &error, const QString &path)
{
    const QString detail = QStringLiteral("SQLite %1: %2").arg(error.nativeErrorCode(), error.text());
    const auto make = [&](ErrorKind kind, const QString &message) { return Error{kind, message, detail, {}}; };
    switch (error.nativeErrorCode().toInt() & 0xff) {
    case SQLITE_CONSTRAINT:
        return make(ErrorKind::Conflict, Text::tr("The store already has this entry."));
    case SQLITE_INTERRUPT:
        return make(ErrorKind::Cancelled, Text::tr("The search was stopped."));
    case SQLITE_FULL:
        return make(ErrorKind::Transient, fullText().arg(path));
    case SQLITE_NOTADB:
        return make(ErrorKind::Corrupt,
                    Text::tr("%1 is not a Redrive store. Choose another file, or move this one away.").arg(path));
    case SQLITE_CORRUPT:
        return make(ErrorKind::Corrupt, Text::tr("The store %1 is damaged. Restore it from a backup.").arg(path));
    case SQLITE_CANTOPEN:
        return make(
            ErrorKind::Unauthorized,
            Text::tr("The store %1 cannot be opened. Check that its folder exists and may be written.").arg(path));
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return make(
            ErrorKind::Unauthorized,
            Text::tr("The store %1 cannot be written. Check the permissions of the file and its folder.").arg(path));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return make(ErrorKind::Transient, Text::tr("The store %1 is busy. Try again.").arg(path));
    case SQLITE_IOERR:
        if (isFull(path)) // the files beside the store may also grow without a write
            return make(ErrorKind::Transient, fullText().arg(path));
        return make(ErrorKind::Transient,
                    Text::tr("The store %1 cannot be read or written. Check the disk that holds it.").arg(path));
    default:
        return make(ErrorKind::Transient, Text::tr("The store %1 refused a request.").arg(path));
    }
}

} // namespace store
