#pragma once

#include <QString>
#include <QStringList>
#include <QUrl>

namespace broker {

// How to reach one Service Bus namespace, or the embedded broker.
struct ServiceBusAccount
{
    QUrl base; // http or https, no user info
    QString keyName;
    QString key; // the key text as given, not decoded; empty: requests carry no authorization
    QStringList errorQueues; // named by the connection; listed with that role
};

} // namespace broker
