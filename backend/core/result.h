// What every operation that can fail returns: a value, or an Error that says what to do about it.
// kind drives behaviour (retry, eject, ask a person); message is one plain sentence for the operator; detail is for the
// log, with secrets already taken out.
#pragma once

#include <QString>

#include <chrono>
#include <tl/expected.hpp>

namespace core {

enum class ErrorKind {
    Transient, // may work later, nothing was changed: connection refused, 5xx, node down
    Throttled, // the other side asks for less: 429, 503 with Retry-After
    Rejected, // an answer about this very request: it will never be accepted as it is
    NotFound,
    Conflict, // somebody else was first, or the state moved on
    Unauthorized, // login or right missing
    Corrupt, // what was read makes no sense: damaged store, undecodable answer
    Cancelled, // given up on our side: shutdown, or the person asked for it
    UnknownOutcome, // the request left us and no answer came back: it may or may not have taken effect
    Refused, // we ourselves decline: read-only viewer, rights, confirmation missing
    StoreFailed, // the store latched a failed commit and takes no further writes
};

struct Error
{
    ErrorKind kind = ErrorKind::Transient;
    QString message;
    QString detail;
    std::chrono::milliseconds retryAfter{0}; // at least this long before another try; 0 = no wish

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

// The word for logs and tests; never shown in the window.
[[nodiscard]] QString toString(ErrorKind kind);

} // namespace core
