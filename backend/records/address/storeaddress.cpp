#include "backend/records/address/storeaddress.h"

#include "backend/records/text.h"

#include <QRegularExpression>
#include <QStringList>
#include <QUrl>

#include <algorithm>

namespace records {

namespace {

constexpr qsizetype longestUrl = 2048;

// They say where the server is and how to reach it safely. Others, such as "options", would change how the store works.
bool mayBeGiven(const QString &key)
{
    static const QStringList known{
        QStringLiteral("sslmode"),    QStringLiteral("sslrootcert"),
        QStringLiteral("sslcert"),    QStringLiteral("sslkey"),
        QStringLiteral("sslcrl"),     QStringLiteral("host"),
        QStringLiteral("hostaddr"),   QStringLiteral("port"),
        QStringLiteral("service"),    QStringLiteral("gssencmode"),
        QStringLiteral("krbsrvname"), QStringLiteral("channel_binding"),
        QStringLiteral("passfile"),   QStringLiteral("target_session_attrs"),
    };
    return known.contains(key);
}

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

core::Result<QString> schemaFrom(const QString &name)
{
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]{0,62}$"));
    if (plain.match(name).hasMatch() && !name.startsWith(QLatin1String("pg_")))
        return name;
    return badUrl(Text::tr(
        "The name of a schema has letters, digits and '_', at most 63, and does not begin with a digit or pg_."));
}

} // namespace

QString StoreAddress::text() const
{
    if (!isShared())
        return file;
    if (schema == QLatin1String(usualStoreSchema))
        return url;
    return url + (url.contains(u'?') ? u'&' : u'?') + QStringLiteral("schema=") + schema;
}

bool isSharedStoreUrl(const QString &text)
{
    return text.startsWith(QLatin1String("postgresql:")) || text.startsWith(QLatin1String("postgres:"));
}

core::Result<StoreAddress> sharedStoreFrom(const QString &text)
{
    if (text.size() > longestUrl || isHarmful(text) || isHarmful(QUrl::fromPercentEncoding(text.toUtf8())))
        return badUrl(Text::tr("The URL is too long, or it contains control characters."));
    static const QRegularExpression form(
        QStringLiteral("^postgres(?:ql)?://(?:([^@/?#]*)@)?([^/?#@]*)(?:/([^/?#]*))?(?:\\?([^#]*))?$"));
    const QRegularExpressionMatch parts = form.match(text);
    if (!parts.hasMatch())
        return badUrl(
            Text::tr("The URL of a shared store must be postgresql://USER@HOST[:PORT]/DATABASE[?schema=NAME]."));
    if (parts.captured(1).contains(u':'))
        return badUrl(Text::tr(
            "The URL must not contain a password. Use REDRIVE_STORE_PASSWORD, or the password file of PostgreSQL."));
    StoreAddress found;
    found.schema = QString::fromLatin1(usualStoreSchema);
    QStringList kept;
    bool hasService = false;
    const QStringList given = parts.captured(4).split(u'&', Qt::SkipEmptyParts);
    for (const QString &item : given) {
        const QString key = item.section(u'=', 0, 0);
        if (key == QLatin1String("schema")) {
            TRY(found.schema, schemaFrom(QUrl::fromPercentEncoding(item.section(u'=', 1).toUtf8())));
        } else if (mayBeGiven(key)) {
            kept.append(item);
            hasService = hasService || key == QLatin1String("service");
        } else {
            return badUrl(
                Text::tr("The URL of a shared store cannot have '%1' after the question mark.").arg(key.left(40)));
        }
    }
    if (!hasService && parts.captured(3).isEmpty())
        return badUrl(
            Text::tr("The URL must end with the name of the database: postgresql://USER@HOST[:PORT]/DATABASE."));
    const QString user = parts.captured(1).isEmpty() ? QString() : parts.captured(1) + u'@';
    found.url = QStringLiteral("postgresql://") + user + parts.captured(2)
                + (parts.captured(3).isEmpty() ? QString() : u'/' + parts.captured(3))
                + (kept.isEmpty() ? QString() : u'?' + kept.join(u'&'));
    return found;
}

} // namespace records
