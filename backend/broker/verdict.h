// The outcome of a send: the same for every broker over HTTP.
#pragma once

#include "backend/broker/broker.h"

namespace broker {

// What a status that accepts nothing says of a message, unless the broker gives it a meaning of its own. `isOfService`: the
// answer has the form of the service's own errors. A gateway answers 503 also after it passed the request on.
[[nodiscard]] inline Verdict usualVerdict(int status, bool isOfService)
{
    switch (status) {
    case 400:
    case 411:
    case 413:
    case 414:
    case 415:
    case 431:
        return Verdict::Rejected;
    case 408:
        return Verdict::Unknown;
    case 503:
        return isOfService ? Verdict::NotSent : Verdict::Unknown;
    default:
        // Redirects and other refusals took nothing. Server errors, and a success of another server, may have.
        return status >= 300 && status < 500 ? Verdict::NotSent : Verdict::Unknown;
    }
}

// The verdict for a send that ended with an error of the HTTP client instead of an answer.
[[nodiscard]] inline Verdict verdictOf(const core::Error &transport)
{
    switch (transport.kind) {
    case core::ErrorKind::Transient:
    case core::ErrorKind::Throttled:
    case core::ErrorKind::Rejected:
    case core::ErrorKind::Unauthorized:
    case core::ErrorKind::Refused:
    case core::ErrorKind::NotFound:
    case core::ErrorKind::Conflict:
        return Verdict::NotSent;
    case core::ErrorKind::Corrupt:
    case core::ErrorKind::Cancelled:
    case core::ErrorKind::UnknownOutcome:
    case core::ErrorKind::StoreFailed:
        return Verdict::Unknown;
    }
    Q_UNREACHABLE();
}

// The outcome for an answer. A message that may have been taken always gets the kind UnknownOutcome.
[[nodiscard]] inline SendOutcome outcomeOf(Verdict verdict, core::Error error)
{
    if (verdict == Verdict::Unknown)
        error.kind = core::ErrorKind::UnknownOutcome;
    return {verdict, std::move(error)};
}

} // namespace broker
