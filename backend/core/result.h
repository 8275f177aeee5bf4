// What every operation that can fail returns: a value or an Error. The parts of an Error:
//  - kind decides what the program does next: try again, eject the message, ask a person.
//  - message is for the operator, in one or two sentences: what happened, to what, and what to do.
//  - detail is for the log. It contains no secrets.
#pragma once

#include <QString>

#include <chrono>
#include <tl/expected.hpp>

namespace core {

enum class ErrorKind {
    Transient, // a later try may work and does no harm: connection refused, 5xx, node down
    Throttled, // the other side asks for fewer requests: 429, 503 with Retry-After
    Rejected, // this request will never be accepted as it is
    NotFound, // what the request names does not exist
    Conflict, // somebody else was first, or the state has changed
    Unauthorized, // the login or a permission is missing
    Corrupt, // the data is invalid: damaged store, undecodable response
    Cancelled, // stopped on our side: shutdown, or a person asked for it
    UnknownOutcome, // the request was sent and got no response: it may or may not have taken effect
    Refused, // Redrive itself declines: read-only viewer, missing right, missing confirmation
    StoreFailed, // a write to the store failed, and the store takes no further writes
};

struct Error
{
    ErrorKind kind = ErrorKind::Transient;
    QString message;
    QString detail;
    std::chrono::milliseconds retryAfter{0}; // wait at least this long before the next try; 0: any time

    friend bool operator==(const Error &, const Error &) = default;
};

template<typename T = void>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorKind kind, QString message, QString detail = {})
{
    return tl::unexpected<Error>(Error{kind, std::move(message), std::move(detail), {}});
}

[[nodiscard]] inline tl::unexpected<Error> fail(Error error)
{
    return tl::unexpected<Error>(std::move(error));
}

// The name of the kind, for logs and tests. It is never shown in the window.
[[nodiscard]] QString toString(ErrorKind kind);

} // namespace core
