#pragma once

#include "backend/core/result.h"
#include "backend/records/connection.h"

#include <QByteArray>
#include <QStringList>
#include <QUrl>

namespace broker::azurequeue {

// How to reach the queues of one storage account.
struct Account
{
    // With http or https and no user info; the path ends with a slash: "/", or "/ACCOUNT/" on servers of many accounts
    QUrl base;
    QByteArray name;
    QByteArray key; // decoded; empty: none
    QByteArray sas; // SAS token (a URL query) without '?'; empty: none
    QString unusable; // why the secret is invalid, for people; empty: it is valid, or there is none
    QStringList errorQueues; // named by the connection; listed with that role

    // The secret is an account key, a SAS token (or a URL that ends with one) or a whole connection string.
    [[nodiscard]] static Account from(const records::Connection &connection, const QString &secret);
};

} // namespace broker::azurequeue
