// What every operation that can fail returns: a value or an Error. The parts of an Error:
//  - kind decides what the program does next: try again, eject the message, ask a person.
//  - message is for the operator, in one or two sentences: what happened, to what, and what to do.
//  - detail is for the log. It contains no secrets.
#pragma once

#include "backend/core/fields.h"

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
constexpr ErrorKind lastOf(ErrorKind)
{
    return ErrorKind::StoreFailed;
}

struct Error
{
    ErrorKind kind = ErrorKind::Transient;
    QString message;
    QString detail;
    std::chrono::milliseconds retryAfter{0}; // wait at least this long before the next try; 0: any time

    REDRIVE_FIELDS(kind, message, detail, retryAfter)
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

// Go on with the value, or return the error to the caller:
//
//     TRY(const QStringList titles, session.messages().groupTitles(groups)); // declares the value, moved out
//     TRY(names.titles, session.messages().groupTitles(groups));             // sets a variable that exists
//     TRY(session.connections().update(connection));                         // no value, or nobody needs it
//
// In a coroutine, write CO_TRY, and co_await in front of the expression if it needs it. A TRY is a statement of its
// own, as GCC 12 wants it of every co_await (backend/core/async.h). One that declares or sets something needs braces
// after an `if`. A type with a comma between < and > does not go through a macro: write const auto.
#define TRY(...) CORE_TRY_FORM(__VA_ARGS__, )(return, CORE_TRY_NAME(__COUNTER__), __VA_ARGS__)
#define CO_TRY(...) CORE_TRY_FORM(__VA_ARGS__, )(co_return, CORE_TRY_NAME(__COUNTER__), __VA_ARGS__)

// What TRY is made of. Each use gets its own name for the result, because one may stand in a lambda within another.
#define CORE_TRY_FORM(first, ...) CORE_TRY_HEAD(__VA_OPT__(CORE_TRY_VALUE, ) CORE_TRY_CHECK, )
#define CORE_TRY_HEAD(first, ...) first
#define CORE_TRY_NAME(number) CORE_TRY_JOIN(tryResult, number)
#define CORE_TRY_JOIN(left, right) left##right
#define CORE_TRY_VALUE(leave, result, declaration, ...)                                                                \
    auto result = __VA_ARGS__;                                                                                         \
    if (!result)                                                                                                       \
        leave core::fail(std::move(result).error());                                                                   \
    declaration = *std::move(result)
#define CORE_TRY_CHECK(leave, result, ...)                                                                             \
    do {                                                                                                               \
        auto result = __VA_ARGS__;                                                                                     \
        if (!result)                                                                                                   \
            leave core::fail(std::move(result).error());                                                               \
    } while (false)
