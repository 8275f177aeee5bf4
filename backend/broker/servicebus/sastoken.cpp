#include "backend/broker/servicebus/sastoken.h"

#include <QMessageAuthenticationCode>
#include <QUrl>

namespace broker {

QByteArray sasToken(const QString &uri, const QString &keyName, const QString &key, qint64 expirySeconds)
{
    const QByteArray resource = QUrl::toPercentEncoding(uri);
    const QByteArray expiry = QByteArray::number(expirySeconds);
    const QByteArray signature =
        QMessageAuthenticationCode::hash(resource + '\n' + expiry, key.toUtf8(), QCryptographicHash::Sha256).toBase64();
    return "SharedAccessSignature sr=" + resource + "&sig=" + signature.toPercentEncoding() + "&se=" + expiry
           + "&skn=" + QUrl::toPercentEncoding(keyName);
}

} // namespace broker
