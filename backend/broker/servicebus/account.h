#pragma once

#include <QString>
#include <QStringList>
#include <QUrl>

namespace broker {

// How one Service Bus namespace (or the embedded broker) is reached.
struct ServiceBusAccount
{
    QUrl base; // http or https, no user info
    QString keyName;
    QString key; // the text as given, not decoded; empty: calls go without authorization
    QStringList errorQueues; // shown with that role
};

} // namespace broker
