// Errors for HTTP answers that are no success: for every broker but RabbitMQ (rabbitmq/http/answers.h).
#pragma once

#include "backend/broker/text.h"
#include "backend/core/time/httpdate.h"
#include "backend/http/answertext.h"
#include "backend/http/retryafter.h"

#include <cstdlib>

namespace broker {

// What a status means unless the broker gives it a meaning of its own. `isOfService`: the answer has the form of the
// service's own errors. The 404 of a proxy says nothing about a queue.
[[nodiscard]] inline core::ErrorKind usualKind(int status, bool isOfService)
{
    using core::ErrorKind;
    switch (status) {
    case 401:
    case 403:
        return ErrorKind::Unauthorized;
    case 404:
    case 410:
        return isOfService ? ErrorKind::NotFound : ErrorKind::Transient;
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

// The words of a broker with a full stop at their end, so that another sentence can follow.
[[nodiscard]] inline QString asSentence(const QString &words)
{
    const bool ends = words.isEmpty() || QStringLiteral(".!?").contains(words.back());
    return ends ? words : words + QLatin1Char('.');
}

// Makes the message "WHAT (HTTP status): WORDS. HINT": what failed, what the broker said, what to do. `words` and
// `hint` may be empty; secrets must be taken out of `words` already. Sets retryAfter from the answer.
[[nodiscard]] inline core::Error statusError(core::ErrorKind kind, const http::Response &response, const QString &what,
                                             const QString &words, const QString &hint, core::TimePoint now)
{
    const QString status = QString::number(response.status);
    core::Error error;
    error.kind = kind;
    error.message = words.isEmpty() ? QStringLiteral("%1 (HTTP %2).").arg(what, status)
                                    : QStringLiteral("%1 (HTTP %2): %3").arg(what, status, asSentence(words));
    if (response.status / 100 == 3) {
        error.message += QLatin1Char(' ')
                         + Text::tr("The server redirected the request. Redrive does not follow redirects: check the "
                                    "address of the connection.");
    }
    if (!hint.isEmpty())
        error.message += QLatin1Char(' ') + hint;
    error.retryAfter = http::retryAfter(response, now);
    return error;
}

// Passes the result on. If it is Corrupt, the error message also names the request and shows how the answer begins.
template<typename T>
[[nodiscard]] core::Result<T> readFrom(const http::Response &response, core::Result<T> read)
{
    if (!read && read.error().kind == core::ErrorKind::Corrupt)
        read.error().message += QLatin1Char(' ') + http::answerText(response);
    return read;
}

// A wrong clock looks like a wrong key. Returns a hint if this clock differs from the clock of the service by `from` or
// more, else an empty text.
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
