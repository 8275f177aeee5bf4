#include "backend/broker/rabbitmq/settings.h"

#include "backend/records/address/connectionurl.h"

namespace broker::rabbitmq {

Settings Settings::from(const records::Connection &connection, const QString &secret)
{
    Settings settings;
    settings.base = connection.url;
    settings.base.setUserInfo({});
    settings.base.setPath({});
    settings.base.setQuery(QString());
    const QByteArray path = connection.url.path(QUrl::FullyEncoded).toUtf8().mid(1);
    if (!path.isEmpty())
        settings.vhost = QString::fromUtf8(QByteArray::fromPercentEncoding(path));
    const QString user = connection.url.userName(QUrl::FullyDecoded);
    settings.authorization = "Basic " + (user + QLatin1Char(':') + secret).toUtf8().toBase64();
    settings.errorQueues = connection.errorQueues;
    settings.doublesAllowed = connection.doublesAllowed;
    settings.takesInSteps = records::takesInSteps(connection);
    return settings;
}

} // namespace broker::rabbitmq
