#pragma once

#include "backend/core/result.h"
#include "backend/records/connection.h"

#include <QByteArray>
#include <QStringList>
#include <QUrl>

namespace broker::azurequeue {

// How the queues of one storage account are reached.
struct Account
{
    QUrl
        base; // http or https, no user info; the path ends with a slash: "/", or "/ACCOUNT/" for servers of many accounts
    QByteArray name;
    QByteArray key; // decoded; empty: none
    QByteArray sas; // query of a shared access signature, without '?'; empty: none
    QString unusable; // why the secret is neither of the two, for people; empty: it is, or there is none
    QStringList errorQueues; // shown with that role

    // The secret is an account key, a SAS token (or a URL that ends with one) or a whole connection string.
    [[nodiscard]] static Account from(const records::Connection &connection, const QString &secret);
};

} // namespace broker::azurequeue
