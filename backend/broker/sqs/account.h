#pragma once

#include "backend/core/result.h"
#include "backend/core/time/clock.h"
#include "backend/records/connection.h"

#include <QByteArray>
#include <QStringList>
#include <QUrl>

#include <optional>

namespace broker::sqs {

// How to reach the queues of one account in one region.
struct Account
{
    QUrl base; // http or https, no user info, no query, path "/"
    QByteArray region;
    QByteArray keyId;
    QByteArray secret; // the secret access key; empty: requests are not signed
    QByteArray sessionToken; // of temporary credentials
    std::optional<core::TimePoint> ends; // when temporary credentials expire, if they say so
    QString unusable; // why the secret is invalid, for people; empty: it is valid, or there is none
    QStringList errorQueues; // named by the connection; listed with that role

    // The secret is the secret access key, ACCESS-KEY-ID:SECRET[:SESSION-TOKEN], or the JSON that AWS tools print for
    // temporary credentials. An access key id in the secret replaces the user of the URL.
    [[nodiscard]] static Account from(const records::Connection &connection, const QString &secret);
};

} // namespace broker::sqs
