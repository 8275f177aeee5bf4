// The only way to a broker. A call ends with a response or with an Error. A response may have any status: 4xx and 5xx
// are responses too, and the caller decides what they mean. So are redirects, which are never followed.
//
// Errors:
//  - Transient: nothing was sent, because the connection was refused, the host is unknown or its certificate is not
//    trusted (the message says which). For an idempotent call also: no complete response came.
//  - UnknownOutcome, only for a call that is not idempotent: the request may have been sent, and no complete response
//    came, or it is too large or not HTTP.
//  - Corrupt, only for an idempotent call: the response is larger than allowed, or it is not HTTP.
//  - Rejected: the address is not an http or https URL.
//  - Cancelled: cancelAll() was called.
//
// All calls and responses happen on the thread that owns the client.
#pragma once

#include "backend/core/async.h"
#include "backend/core/result.h"
#include "backend/core/time/clock.h"

#include <QByteArray>
#include <QList>
#include <QUrl>

namespace http {

inline constexpr qint64 smallAnswerBytes = 4LL * 1024 * 1024; // for a response about one thing
inline constexpr qint64 listAnswerBytes = 64LL * 1024 * 1024; // for all queues, bindings or consumers of a broker

struct HeaderField
{
    QByteArray name;
    QByteArray value;
};

struct Request
{
    QByteArray verb = "GET";
    QUrl url;
    QList<HeaderField> headers;
    QByteArray body;
    bool idempotent = true; // false: the call is sent at most once, whatever happens to the connection
    core::Milliseconds timeout{30000}; // from send() to the last byte of the response
    // The call also ends when nothing arrives for so long, so that a silent server is noticed before a large response is
    // complete; 0: only the limit above
    core::Milliseconds silence{0};
    qint64 maxResponseBytes = smallAnswerBytes; // set it for lists and messages
};

struct Response
{
    int status = 0;
    QList<HeaderField> headers;
    QByteArray body;
    QByteArray verb{}; // verb and URL of the request, for an error about this response
    QUrl url{};
    int tries = 1; // how often the request was sent; if more than once, the broker may have carried out an earlier try

    // The first field of that name, without regard to case. Empty if there is none.
    [[nodiscard]] QByteArray header(QByteArrayView name) const
    {
        for (const HeaderField &field : headers) {
            if (field.name.compare(name, Qt::CaseInsensitive) == 0)
                return field.value;
        }
        return {};
    }
};

class HttpClient
{
public:
    HttpClient() = default;
    HttpClient(const HttpClient &) = delete;
    HttpClient &operator=(const HttpClient &) = delete;
    virtual ~HttpClient() = default;

    [[nodiscard]] virtual core::Task<core::Result<Response>> send(Request request) = 0;

    // Ends all calls under way, and every later call, with Cancelled.
    virtual void cancelAll() = 0;
};

} // namespace http
