#include "backend/intake/identity.h"

#include <QCryptographicHash>

#include <algorithm>

namespace intake {

QString deterministicGuid(const QString &text)
{
    QByteArray hash = QCryptographicHash::hash(text.toUtf8(), QCryptographicHash::Md5);
    std::reverse(hash.begin(), hash.begin() + 4);
    std::reverse(hash.begin() + 4, hash.begin() + 6);
    std::reverse(hash.begin() + 6, hash.begin() + 8);
    return QString::fromLatin1(hash.toHex());
}

QString uniqueIdOf(const QString &messageId, const QString &endpoint)
{
    return deterministicGuid(messageId + endpoint);
}

QString uniqueIdOf(core::ConnectionId connection, const QString &queue, const QString &nativeId)
{
    return deterministicGuid(
        QStringLiteral("native\n%1\n%2\n%3").arg(QString::number(connection.value), queue, nativeId));
}

QString anotherUniqueId(const QString &uniqueId, const QString &why)
{
    return deterministicGuid(QStringLiteral("beside\n%1\n%2").arg(uniqueId, why));
}

QString contentDigest(const records::Envelope &envelope)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const QByteArray headers = records::toCbor(envelope.headers);
    const QByteArray properties = records::toCbor(envelope.properties);
    // The lengths keep a byte that moves from one part to the next from going unnoticed.
    hash.addData(QByteArray::number(headers.size()) + ' ' + QByteArray::number(properties.size()) + ' ');
    hash.addData(headers);
    hash.addData(properties);
    hash.addData(envelope.body);
    return QString::fromLatin1(hash.result().toHex().left(32));
}

} // namespace intake
