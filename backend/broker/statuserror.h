// How an answer that is no success is told: the same for every broker over HTTP.
#pragma once

#include "backend/broker/text.h"
#include "backend/core/httpdate.h"
#include "backend/http/answertext.h"
#include "backend/http/retryafter.h"

#include <cstdlib>

namespace broker {

// What a status means where the broker does not use it in a sense of its own.
[[nodiscard]] inline core::ErrorKind usualKind(int status)
{
    using core::ErrorKind;
    switch (status) {
    case 401:
    case 403:
        return ErrorKind::Unauthorized;
    case 404:
    case 410:
        return ErrorKind::NotFound;
    case 409:
    case 412:
        return ErrorKind::Conflict;
    case 429:
    case 503:
        return ErrorKind::Throttled;
    case 408:
        return ErrorKind::Transient;
    default:
        return status >= 500 ? ErrorKind::Transient : ErrorKind::Rejected;
    }
}

// "The queues of shop cannot be listed (HTTP 403): the broker's own words. What helps." `words` and `hint` may be empty.
[[nodiscard]] inline core::Error statusError(core::ErrorKind kind, const http::Response &response, const QString &what,
                                             const QString &words, const QString &hint, core::TimePoint now)
{
    const QString status = QString::number(response.status);
    core::Error error;
    error.kind = kind;
    error.message = words.isEmpty() ? QStringLiteral("%1 (HTTP %2).").arg(what, status)
                                    : QStringLiteral("%1 (HTTP %2): %3").arg(what, status, words);
    if (response.status / 100 == 3) {
        error.message += QLatin1Char(' ')
                         + Text::tr("The answer sends to another address, which is not "
                                    "followed: check the address of the connection.");
    }
    if (!hint.isEmpty())
        error.message += QLatin1Char(' ') + hint;
    error.retryAfter = http::retryAfter(response, now);
    return error;
}

// What was read of an answer. Where it makes no sense the error says what was asked and how the answer begins.
template<typename T>
[[nodiscard]] core::Result<T> readFrom(const http::Response &response, core::Result<T> read)
{
    if (!read && read.error().kind == core::ErrorKind::Corrupt)
        read.error().message += QLatin1Char(' ') + http::answerText(response);
    return read;
}

// A wrong clock looks like a wrong key. Empty unless this machine's is that far from the service's.
[[nodiscard]] inline QString clockHint(const http::Response &response, core::TimePoint now, core::Milliseconds from)
{
    const std::optional<core::TimePoint> theirs = core::fromHttpDate(response.header("Date"));
    const core::Milliseconds apart = theirs ? now - *theirs : core::Milliseconds{0};
    if (apart < from && apart > -from)
        return {};
    const qint64 minutes = std::abs(std::chrono::duration_cast<std::chrono::minutes>(apart).count());
    const QString text = apart > core::Milliseconds{0}
                             ? Text::tr("The clock of this machine is %1 minutes ahead of the service's; set it right.")
                             : Text::tr("The clock of this machine is %1 minutes behind the service's; set it right.");
    return text.arg(minutes);
}

} // namespace broker
