// How large a request RabbitMQ's management plugin takes. It does not tell, so this is what was seen.
#pragma once

#include <QString>

namespace broker::rabbitmq {

// Largest body of a request, in bytes, by the version of the broker. Empty: unknown.
[[nodiscard]] inline qint64 mostBytesOf(const QString &version)
{
    // Seen on 3.10.8 of Debian 12: 8,000,016 bytes are taken, 8,000,017 answered with 400 "Exceeded HTTP request body
    // size limit". Later versions take 10 MiB (rabbit_mgmt_util.erl, MAX_BODY_SIZE in 3.11.24 and 3.12.7) or more.
    constexpr qint64 early = 8'000'000;
    constexpr qint64 later = 10LL * 1024 * 1024;
    const int major = version.section(QLatin1Char('.'), 0, 0).toInt();
    const int minor = version.section(QLatin1Char('.'), 1, 1).toInt();
    return major > 3 || (major == 3 && minor >= 11) ? later : early;
}

// Largest body of a message that surely fits into such a request, as base64 beside its headers.
[[nodiscard]] inline qint64 largestBodyIn(qint64 request)
{
    constexpr qint64 headers = 64LL * 1024;
    return (request - headers) / 4 * 3;
}

} // namespace broker::rabbitmq
