#include "backend/core/result.h"

namespace core {

QString toString(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::Transient:
        return QStringLiteral("Transient");
    case ErrorKind::Throttled:
        return QStringLiteral("Throttled");
    case ErrorKind::Rejected:
        return QStringLiteral("Rejected");
    case ErrorKind::NotFound:
        return QStringLiteral("NotFound");
    case ErrorKind::Conflict:
        return QStringLiteral("Conflict");
    case ErrorKind::Unauthorized:
        return QStringLiteral("Unauthorized");
    case ErrorKind::Corrupt:
        return QStringLiteral("Corrupt");
    case ErrorKind::Cancelled:
        return QStringLiteral("Cancelled");
    case ErrorKind::UnknownOutcome:
        return QStringLiteral("UnknownOutcome");
    case ErrorKind::Refused:
        return QStringLiteral("Refused");
    case ErrorKind::StoreFailed:
        return QStringLiteral("StoreFailed");
    }
    Q_UNREACHABLE();
}

} // namespace core
