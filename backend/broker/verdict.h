// The outcome of a send: the same for every broker over HTTP.
#pragma once

#include "backend/broker/broker.h"

namespace broker {

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
