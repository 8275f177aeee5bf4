// What became of a message whose send ended without an answer: the same for every broker over HTTP.
#pragma once

#include "backend/broker/broker.h"

namespace broker {

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

} // namespace broker
