#include "backend/records/address/servicebusaddress.h"

#include "backend/records/address/connectionstring.h"
#include "backend/records/text.h"

namespace records {

bool isServiceBusConnectionString(const QString &text)
{
    const ConnectionFields fields = connectionFields(text);
    return fields.contains(QStringLiteral("endpoint")) || fields.contains(QStringLiteral("sharedaccesskeyname"));
}

core::Result<ConnectionUrl> serviceBusConnectionString(const QString &text)
{
    const ConnectionFields fields = connectionFields(text);
    QUrl url(fields.value(QStringLiteral("endpoint")), QUrl::StrictMode);
    const bool emulator = fields.value(QStringLiteral("usedevelopmentemulator")).toLower() == QLatin1String("true");
    if (url.scheme() == QLatin1String("sb"))
        url.setScheme(emulator ? QStringLiteral("http") : QStringLiteral("https"));
    const bool isHttp = url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https");
    const QString keyName = fields.value(QStringLiteral("sharedaccesskeyname"));
    const QString key = fields.value(QStringLiteral("sharedaccesskey"));
    const bool plain = url.userInfo().isEmpty() && !url.hasQuery() && !url.hasFragment() && url.port() != 0;
    if (!isHttp || !plain || url.host().isEmpty() || keyName.isEmpty() || key.isEmpty()) {
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("The Service Bus connection string is incomplete or invalid. It needs Endpoint, "
                                   "SharedAccessKeyName and SharedAccessKey."));
    }
    url.setUserName(keyName, QUrl::DecodedMode);
    url.setPath(QStringLiteral("/"));
    return ConnectionUrl{BrokerKind::ServiceBus, url, key};
}

} // namespace records
