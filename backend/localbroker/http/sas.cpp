#include "backend/localbroker/http/sas.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>

namespace localbroker {

namespace {

// In lower case without scheme and port, because clients write http, https or sb and may leave out the port.
QByteArray scopeOf(QByteArray uri)
{
    uri = uri.toLower();
    const qsizetype scheme = uri.indexOf("://");
    if (scheme >= 0)
        uri = uri.sliced(scheme + 3);
    const qsizetype query = uri.indexOf('?');
    if (query >= 0)
        uri.truncate(query);
    const qsizetype slash = uri.indexOf('/');
    QByteArray host = slash < 0 ? uri : uri.first(slash);
    const QByteArray path = slash < 0 ? QByteArray() : uri.sliced(slash);
    const qsizetype colon = host.lastIndexOf(':');
    if (colon > host.lastIndexOf(']'))
        host.truncate(colon);
    QByteArray scope = host + path;
    while (scope.endsWith('/'))
        scope.chop(1);
    return scope;
}

bool sameSecret(const QByteArray &a, const QByteArray &b)
{
    if (a.size() != b.size())
        return false;
    int difference = 0;
    for (qsizetype i = 0; i < a.size(); ++i)
        difference |= a.at(i) ^ b.at(i);
    return difference == 0;
}

// The words of the service, because clients search for them.
QString missingClaim(Claim claim)
{
    if (claim == Claim::Manage)
        return QStringLiteral("Manage,EntityRead claims required for this operation.");
    return QStringLiteral("Unauthorized access. '%1' claim(s) are required to perform this operation.")
        .arg(claim == Claim::Send ? QLatin1String("Send") : QLatin1String("Listen"));
}

} // namespace

QString checkSas(const QByteArray &authorization, const QByteArray &hostAndPath, const Keys &keys, core::TimePoint now,
                 Claim claim)
{
    if (keys.isEmpty())
        return {};
    static const QByteArray scheme("SharedAccessSignature ");
    if (!authorization.startsWith(scheme))
        return QStringLiteral("MissingToken: The authorization header was not found.");
    QHash<QByteArray, QByteArray> fields;
    for (const QByteArray &part : authorization.sliced(scheme.size()).trimmed().split('&')) {
        const qsizetype equals = part.indexOf('=');
        if (equals > 0)
            fields.insert(part.first(equals), part.sliced(equals + 1));
    }
    const QString keyName = QString::fromUtf8(QByteArray::fromPercentEncoding(fields.value("skn")));
    const auto key = keys.constFind(keyName);
    const QByteArray wanted = QMessageAuthenticationCode::hash(fields.value("sr") + '\n' + fields.value("se"),
                                                               key == keys.cend() ? QByteArray() : key->text.toUtf8(),
                                                               QCryptographicHash::Sha256)
                                  .toBase64();
    if (key == keys.cend() || !sameSecret(QByteArray::fromPercentEncoding(fields.value("sig")), wanted))
        return QStringLiteral("InvalidSignature: The token has an invalid signature.");
    if (fields.value("se").toLongLong() <= core::toMs(now) / 1000)
        return QStringLiteral("ExpiredToken: The token is expired.");
    const QByteArray scope = scopeOf(QByteArray::fromPercentEncoding(fields.value("sr")));
    const QByteArray asked = scopeOf(hostAndPath);
    if (asked != scope && !asked.startsWith(scope + '/'))
        return QStringLiteral("InvalidAudience: The token does not cover this resource.");
    if (claim != Claim::None && !key->claims.isEmpty() && !key->claims.contains(claim))
        return missingClaim(claim);
    return {};
}

} // namespace localbroker
