#include "backend/pipeline/databaseerror.h"

#include "backend/pipeline/celltext.h"
#include "backend/pipeline/text.h"

#include <QSqlError>

#include <sqlite3.h>

namespace pipeline {

using core::Error;
using core::ErrorKind;

namespace {

constexpr int longestQuote = 200;

struct Meaning
{
    ErrorKind kind;
    QString message; // with %1 for the place and %2 for what the database said
};

Meaning locked()
{
    return {ErrorKind::Transient,
            Text::tr("The tables in %1 are locked by another program. Try again when it has finished.")};
}

Meaning refused()
{
    return {ErrorKind::Rejected, Text::tr("The database %1 refuses the statement: %2")};
}

Meaning lost()
{
    return {ErrorKind::Transient,
            Text::tr("The connection to the database %1 is lost. Try again. The driver says: %2")};
}

Meaning ofPostgres(const QSqlError &error)
{
    const QString code = error.nativeErrorCode();
    const QString said = error.databaseText() + error.driverText();
    if (code == QLatin1String("55P03"))
        return locked();
    if (code == QLatin1String("57014"))
        return {ErrorKind::Transient,
                Text::tr("The database %1 needed too long for the statement. Check the indexes of its tables.")};
    if (code == QLatin1String("42501"))
        return {ErrorKind::Unauthorized, Text::tr("The database %1 denies access. Grant the missing right: %2")};
    if (code == QLatin1String("25006"))
        return {ErrorKind::Refused, Text::tr("The database %1 is read-only.")};
    if (said.contains(QLatin1String("authentication failed")) || said.contains(QLatin1String("no password supplied"))
        || said.contains(QLatin1String("pg_hba.conf")) || code.startsWith(QLatin1String("28")))
        return {ErrorKind::Unauthorized, Text::tr("The database %1 refuses the login: %2")};
    if (error.type() == QSqlError::ConnectionError && code.isEmpty() && !said.contains(QLatin1String("FATAL")))
        return {ErrorKind::Transient, Text::tr("The database %1 does not answer: %2")};
    if (error.type() == QSqlError::ConnectionError)
        return {ErrorKind::Rejected, Text::tr("The database %1 cannot be opened: %2")};
    if (code.isEmpty() || code.startsWith(QLatin1String("08")) || code.startsWith(QLatin1String("57P")))
        return lost();
    return refused();
}

Meaning ofSqlite(const QSqlError &error)
{
    switch (error.nativeErrorCode().toInt() & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return locked();
    case SQLITE_NOTADB:
        return {ErrorKind::Rejected, Text::tr("%1 is not a SQLite database. Choose another file.")};
    case SQLITE_CANTOPEN:
        return {ErrorKind::Unauthorized, Text::tr("The file %1 cannot be opened. Check its permissions.")};
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return {ErrorKind::Unauthorized, Text::tr("The file %1 cannot be written. Check its permissions.")};
    case SQLITE_CORRUPT:
        return {ErrorKind::Corrupt, Text::tr("The database %1 is damaged.")};
    case SQLITE_TOOBIG:
        return {ErrorKind::Rejected, Text::tr("A value in the database %1 is too large to be read.")};
    case SQLITE_IOERR:
    case SQLITE_FULL:
        return {ErrorKind::Transient, Text::tr("The file %1 cannot be read or written. Check the disk that holds it.")};
    default:
        return refused();
    }
}

} // namespace

Error databaseError(const QSqlError &error, const DatabaseUrl &url)
{
    const bool isSqlite = url.kind == DatabaseKind::Sqlite;
    const Meaning meaning = isSqlite ? ofSqlite(error) : ofPostgres(error);
    const QString said = error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
    const QString quote = cleanText(said.simplified(), longestQuote);
    const QString message = meaning.message.contains(QLatin1String("%2")) ? meaning.message.arg(url.place(), quote)
                                                                          : meaning.message.arg(url.place());
    return {meaning.kind, message, error.nativeErrorCode() + QLatin1Char(' ') + quote, {}};
}

Error interruptedError(const DatabaseUrl &url)
{
    return {ErrorKind::Transient, Text::tr("The question to the database %1 was stopped.").arg(url.place()), {}, {}};
}

Error unknownCommitError(const DatabaseUrl &url)
{
    return {
        ErrorKind::UnknownOutcome,
        Text::tr("The database %1 did not say whether it kept the change. The task may be due now; look at it before"
                 " you try again.")
            .arg(url.place()),
        {},
        {}};
}

} // namespace pipeline
