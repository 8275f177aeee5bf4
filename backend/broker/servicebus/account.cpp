#include "backend/broker/servicebus/account.h"

#include <QCoreApplication>
#include <QHash>

namespace broker {

core::Result<ServiceBusAccount> accountFromConnectionString(const QString &text)
{
    QHash<QString, QString> fields;
    for (const QString &part : text.trimmed().split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
        const qsizetype equals = part.indexOf(QLatin1Char('='));
        if (equals > 0)
            fields.insert(part.first(equals).trimmed().toLower(), part.sliced(equals + 1).trimmed());
    }
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
