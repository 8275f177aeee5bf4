#pragma once

#include "backend/core/clock.h"
#include "backend/core/result.h"
#include "backend/records/connection.h"

#include <QByteArray>
#include <QStringList>
#include <QUrl>

#include <optional>

namespace broker::sqs {

// How the queues of one account in one region are reached.
struct Account
{
    QUrl base; // http or https, no user info, no query, path "/"
    QByteArray region;
    QByteArray keyId;
    QByteArray secret; // the secret access key; empty: requests are not signed
    QByteArray sessionToken; // of temporary credentials
    std::optional<core::TimePoint> ends; // of temporary credentials, when they say so
    QString unusable; // why the secret cannot be used, for people; empty: it can, or there is none
    QStringList errorQueues; // shown with that role

    // The secret is the secret access key, ACCESS-KEY-ID:SECRET[:SESSION-TOKEN], or the JSON that the tools of AWS print for
    // temporary credentials. An access key id in it counts more than the user of the URL.
    [[nodiscard]] static Account from(const records::Connection &connection, const QString &secret);
};

} // namespace broker::sqs
