#include "backend/store/database/postgresql/postgreserror.h"

#include "backend/store/text.h"

#include <libpq-fe.h>

namespace store {

using core::Error;
using core::ErrorKind;

namespace {

struct Meaning
{
    const char *state; // or how it begins
    ErrorKind kind;
    const char *message;
};

constexpr Meaning meanings[] = {
    {"23", ErrorKind::Conflict, QT_TRANSLATE_NOOP("store", "The store already has this entry.")},
    {"57014", ErrorKind::Cancelled, QT_TRANSLATE_NOOP("store", "The search was stopped.")},
    {"53100", ErrorKind::Transient,
     QT_TRANSLATE_NOOP("store", "The disk that holds the store %1 is full. Free some space and try again.")},
    {"53300", ErrorKind::Transient,
     QT_TRANSLATE_NOOP("store", "The database %1 accepts no more connections. Try again, or raise its limit.")},
    {"XX001", ErrorKind::Corrupt, QT_TRANSLATE_NOOP("store", "The store %1 is damaged. Restore it from a backup.")},
    {"XX002", ErrorKind::Corrupt, QT_TRANSLATE_NOOP("store", "The store %1 is damaged. Restore it from a backup.")},
    {"28", ErrorKind::Unauthorized,
     QT_TRANSLATE_NOOP("store", "The database %1 refused the user or the password. Check both.")},
    {"42501", ErrorKind::Unauthorized,
     QT_TRANSLATE_NOOP("store",
                       "The store %1 cannot be used with this role. redrive store roles prints the SQL with which an "
                       "administrator gives it the rights.")},
    {"42P01", ErrorKind::Unauthorized, // a role that may not use the schema does not see its tables
     QT_TRANSLATE_NOOP("store", "The store %1 cannot be used with this role. Check the rights of the role.")},
    {"25006", ErrorKind::Unauthorized,
     QT_TRANSLATE_NOOP("store", "The store %1 cannot be written: the database only reads.")},
    {"3D000", ErrorKind::NotFound, QT_TRANSLATE_NOOP("store", "There is no database at %1.")},
    {"40", ErrorKind::Transient, QT_TRANSLATE_NOOP("store", "The store %1 is busy. Try again.")},
    {"55P03", ErrorKind::Transient, QT_TRANSLATE_NOOP("store", "The store %1 is busy. Try again.")},
};
constexpr const char *lost =
    QT_TRANSLATE_NOOP("store", "The database %1 does not answer. Check that it runs and can be reached.");
constexpr const char *unreachable = QT_TRANSLATE_NOOP("store", "The database %1 cannot be reached. %2");
constexpr const char *refused = QT_TRANSLATE_NOOP("store", "The store %1 refused a request.");

// libpq knows no SQLSTATE of a connection that did not come about, only what the server wrote.
QByteArray stateOfConnecting(QByteArrayView said)
{
    if (said.contains("authentication failed") || said.contains("no password supplied") || said.contains("pg_hba.conf"))
        return "28P01";
    if (said.contains("too many clients") || said.contains("too many connections"))
        return "53300";
    return said.contains("FATAL:  database ") ? "3D000" : "";
}

} // namespace

Error postgresError(const pg_result *result, pg_conn *connection, const QString &place)
{
    const char *const field = result != nullptr ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : nullptr;
    const QByteArray state = field != nullptr ? QByteArray(field) : stateOfConnecting(PQerrorMessage(connection));
    const char *const primary = result != nullptr ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : nullptr;
    const QString said = QString::fromUtf8(primary != nullptr ? primary : PQerrorMessage(connection)).trimmed();
    const QString detail = QStringLiteral("PostgreSQL %1: %2").arg(QString::fromLatin1(state), said);
    const auto make = [&](ErrorKind kind, const char *message) {
        QString sentence = Text::tr(message);
        sentence.replace(QStringLiteral("%2"), said.simplified()); // before what a place may contain
        return Error{kind, sentence.replace(QStringLiteral("%1"), place), detail, {}}; // not all name it
    };
    for (const Meaning &meaning : meanings) {
        if (state.startsWith(meaning.state))
            return make(meaning.kind, meaning.message);
    }
    const bool isAway = PQstatus(connection) != CONNECTION_OK;
    return make(ErrorKind::Transient, result == nullptr ? unreachable : isAway ? lost : refused);
}

} // namespace store
