#pragma once

#include "backend/records/connection.h"

namespace broker::rabbitmq {

// One account on one virtual host.
struct Settings
{
    QUrl base; // http or https, host, port, and the path in front of "/api" when a proxy adds one
    QString vhost = QStringLiteral("/");
    QByteArray authorization; // value of the header field; a secret
    QStringList errorQueues;
    bool doublesAllowed = true; // false: nothing is forwarded by a shovel, which may double when interrupted
    int sendsInFlight = 24; // the API peaks between 16 and 32

    // The connection's URL path is the percent-encoded virtual host; an empty path or "/" means the virtual host "/".
    [[nodiscard]] static Settings from(const records::Connection &connection, const QString &secret);
};

} // namespace broker::rabbitmq
