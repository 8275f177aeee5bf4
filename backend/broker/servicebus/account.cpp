#include "backend/broker/servicebus/account.h"

#include "backend/records/connectionstring.h"

#include <QCoreApplication>

namespace broker {

core::Result<ServiceBusAccount> accountFromConnectionString(const QString &text)
{
    const records::ConnectionFields fields = records::connectionFields(text);
    QUrl base(fields.value(QStringLiteral("endpoint")));
    const QString scheme = base.scheme();
    const bool emulator = fields.value(QStringLiteral("usedevelopmentemulator")).toLower() == QLatin1String("true");
    if (scheme == QLatin1String("sb"))
        base.setScheme(emulator ? QStringLiteral("http") : QStringLiteral("https"));
    else if (scheme != QLatin1String("http") && scheme != QLatin1String("https"))
        base.clear();
    ServiceBusAccount account;
    account.keyName = fields.value(QStringLiteral("sharedaccesskeyname"));
    account.key = fields.value(QStringLiteral("sharedaccesskey"));
    if (base.host().isEmpty() || !base.userInfo().isEmpty() || account.keyName.isEmpty() || account.key.isEmpty()) {
        return core::fail(core::ErrorKind::Rejected,
                          QCoreApplication::translate("servicebus",
                                                      "This is not a Service Bus connection string: Endpoint, "
                                                      "SharedAccessKeyName and SharedAccessKey are needed."));
    }
    base.setPath(QLatin1Char('/') + fields.value(QStringLiteral("entitypath")));
    account.base = base;
    return account;
}

} // namespace broker
