#include "backend/pipeline/databaseurl.h"

#include "backend/pipeline/text.h"

#include <QDir>
#include <QStringList>
#include <QUrl>
#include <QUrlQuery>

#include <algorithm>

namespace pipeline {

namespace {

constexpr qsizetype longestDatabaseUrl = 2048;

bool isHarmful(const QString &text)
{
    return std::any_of(text.begin(), text.end(), [](QChar one) {
        return one.category() == QChar::Other_Control || one.category() == QChar::Other_Format;
    });
}

tl::unexpected<core::Error> badUrl(const QString &why)
{
    return core::fail(core::ErrorKind::Rejected, why);
}

// What libpq knows. Source: PostgreSQL 15 manual, "Parameter Key Words", sslmode.
core::Result<QString> sslModeFrom(const QUrlQuery &query)
{
    static const QStringList known{QStringLiteral("disable"),   QStringLiteral("allow"),
                                   QStringLiteral("prefer"),    QStringLiteral("require"),
                                   QStringLiteral("verify-ca"), QStringLiteral("verify-full")};
    if (query.isEmpty())
        return QString();
    const QString mode = query.queryItemValue(QStringLiteral("sslmode"));
    if (query.queryItems().size() != 1 || !known.contains(mode))
        return badUrl(
            Text::tr("After ? the URL can only have sslmode, one of %1.").arg(known.join(QStringLiteral(", "))));
    return mode;
}

core::Result<DatabaseUrl> postgresFrom(const QUrl &url)
{
    if (!url.isValid() || url.host().isEmpty() || url.userName().isEmpty() || url.hasFragment() || url.port() == 0)
        return badUrl(Text::tr("The URL of a PostgreSQL database must be postgresql://USER@HOST[:PORT]/DB."));
    if (!url.password().isEmpty())
        return badUrl(Text::tr("The URL must not contain a password. Enter it as the secret."));
    DatabaseUrl found;
    found.kind = DatabaseKind::PostgreSql;
    found.host = url.host();
    found.port = url.port(found.port);
    found.user = url.userName(QUrl::FullyDecoded);
    found.database = url.path(QUrl::FullyDecoded).mid(1);
    if (found.database.isEmpty() || found.database.contains(QLatin1Char('/')))
        return badUrl(Text::tr("The URL must end with the name of the database: postgresql://USER@HOST[:PORT]/DB."));
    if (isHarmful(found.host + found.user + found.database)) // they were written as %XX
        return badUrl(Text::tr("The URL contains control characters."));
    TRY(found.sslMode, sslModeFrom(QUrlQuery(url)));
    return found;
}

} // namespace

QString DatabaseUrl::place() const
{
    return kind == DatabaseKind::Sqlite ? database : Text::tr("%1 at %2").arg(database, host);
}

core::Result<DatabaseUrl> databaseUrlFrom(const QString &text)
{
    if (isHarmful(text) || text.size() > longestDatabaseUrl)
        return badUrl(Text::tr("The URL is too long, or it contains control characters."));
    if (text.startsWith(QLatin1String("postgresql://")) || text.startsWith(QLatin1String("postgres://")))
        return postgresFrom(QUrl(text, QUrl::StrictMode));
    const QLatin1StringView sqlite("sqlite:");
    if (!text.startsWith(sqlite))
        return badUrl(Text::tr("The URL must be postgresql://USER@HOST[:PORT]/DB or sqlite:PATH."));
    const QString path = text.mid(sqlite.size());
    if (!QDir::isAbsolutePath(path))
        return badUrl(Text::tr("sqlite: must be followed by the path of a file."));
    return DatabaseUrl{DatabaseKind::Sqlite, {}, 0, {}, QDir::cleanPath(path), {}};
}

} // namespace pipeline
