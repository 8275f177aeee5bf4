#include "app/commandline/arguments/storeurl.h"

#include "app/commandline/text.h"

#include <QDir>
#include <QRegularExpression>
#include <QStandardPaths>

namespace commandline {

namespace {

core::Result<QString> usualPath(const QString &profile)
{
    static const QRegularExpression allowed(QStringLiteral("^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$"));
    QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/redrive");
    if (!profile.isEmpty()) {
        if (!allowed.match(profile).hasMatch()) {
            return core::fail(
                core::ErrorKind::Rejected,
                Text::tr("Invalid profile name '%1'. Use letters, digits, '-', '_' and '.'.").arg(profile));
        }
        folder += QStringLiteral("/profiles/") + profile;
    }
    return folder + QStringLiteral("/redrive.db");
}

} // namespace

core::Result<records::StoreAddress> storeFrom(const QString &url, const QString &profile)
{
    static const QRegularExpression scheme(QStringLiteral("^([a-z][a-z0-9+]*):(.*)$"));
    if (url.isEmpty()) {
        TRY(const QString usual, usualPath(profile));
        return records::StoreAddress(usual);
    }
    if (records::isSharedStoreUrl(url))
        return records::sharedStoreFrom(url);
    QString path = url;
    const QRegularExpressionMatch match = scheme.match(url);
    if (match.hasMatch()) {
        if (match.captured(1) != QLatin1String("sqlite")) {
            return core::fail(core::ErrorKind::Rejected,
                              Text::tr("Unknown kind of store '%1'. Write sqlite:PATH or postgresql://USER@HOST/DATABASE.").arg(match.captured(1)));
        }
        path = match.captured(2);
    }
    if (path.isEmpty() || path.contains(QChar(u'\0')))
        return core::fail(core::ErrorKind::Rejected, Text::tr("--store needs a path: sqlite:PATH."));
    return records::StoreAddress(QDir::cleanPath(QDir::current().absoluteFilePath(path)));
}

} // namespace commandline
