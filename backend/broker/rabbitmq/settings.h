#pragma once

#include "backend/records/connection.h"

namespace broker::rabbitmq {

// One account on one virtual host.
struct Settings
{
    QUrl base; // http or https, host and port
    QString vhost = QStringLiteral("/");
    QByteArray authorization; // value of the header field; a secret
    QStringList errorQueues;
    // False: no staging queue, because a shovel that is interrupted may deliver copies twice
    bool doublesAllowed = true;
    bool takesInSteps = false; // a person chose that, for where nothing can be held
    int sendsInFlight = 24; // the API is fastest between 16 and 32

    // The path of the connection's URL is the percent-encoded virtual host; an empty path or "/" means the virtual host
    // "/".
    [[nodiscard]] static Settings from(const records::Connection &connection, const QString &secret);
};

} // namespace broker::rabbitmq
