// The only way to a broker. A call ends with an answer of any status (4xx and 5xx are answers: the broker decides what
// they mean) or with an Error:
//   Transient       nothing left this machine: refused, no such host, certificate not trusted (message says which); for an
//                   idempotent call also: no complete answer came
//   UnknownOutcome  the request left, no complete answer came, or one that is too large or no HTTP; only for calls that
//                   are not idempotent
//   Corrupt         the answer is larger than allowed or breaks the protocol; only for idempotent calls
//   Rejected        the address is no http or https URL
//   Cancelled       cancelAll was called
// Redirects are answers too: they are never followed. All calls and answers happen on the owner's thread.
#pragma once

#include "backend/core/async.h"
#include "backend/core/clock.h"
#include "backend/core/result.h"

#include <QByteArray>
#include <QList>
#include <QUrl>

namespace http {

inline constexpr qint64 smallAnswerBytes = 4LL * 1024 * 1024; // about one thing
inline constexpr qint64 listAnswerBytes = 64LL * 1024 * 1024; // all queues, bindings or consumers of a broker

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
    bool idempotent = true; // false: sent at most once, whatever happens to the connection
    core::Milliseconds timeout{30000};
    qint64 maxResponseBytes = smallAnswerBytes; // who asks for a list or for messages says how much
};

struct Response
{
    int status = 0;
    QList<HeaderField> headers;
    QByteArray body;
    QByteArray verb{}; // of the request, with its address: for an error about this answer
    QUrl url{};
    int tries = 1; // how often it was sent; more than once: an earlier try may have been carried out

    // The first field of that name in any spelling of case; empty when absent.
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

    // Ends everything under way, and every later send, with Cancelled.
    virtual void cancelAll() = 0;
};

} // namespace http
