#pragma once

#include "backend/core/result.h"

#include <QString>
#include <QStringList>
#include <QUrl>

namespace broker {

// How one Service Bus namespace (or the embedded broker) is reached.
struct ServiceBusAccount
{
    QUrl base; // http or https, no user info; a path narrows the key's scope to one entity
    QString keyName;
    QString key; // the text as given, not decoded; empty: calls go without authorization
    QStringList errorQueues; // shown with that role
};

// "Endpoint=sb://NS.servicebus.windows.net/;SharedAccessKeyName=..;SharedAccessKey=..[;EntityPath=..]". sb becomes https,
// or http with UseDevelopmentEmulator=true. Errors are of kind Rejected and never repeat the text.
[[nodiscard]] core::Result<ServiceBusAccount> accountFromConnectionString(const QString &text);

} // namespace broker
