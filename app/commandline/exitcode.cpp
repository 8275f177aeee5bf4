#include "app/commandline/exitcode.h"

namespace commandline {

Source sourceOf(const records::StoreAddress &store)
{
    return store.isShared() ? Source::Store : Source::StoreFile;
}

ExitCode exitCodeOf(core::ErrorKind kind, Source source)
{
    using core::ErrorKind;
    const bool cannotBeWritten = kind == ErrorKind::Unauthorized || kind == ErrorKind::Transient; // rights, full disk
    if (source == Source::StoreFile && cannotBeWritten)
        return ExitCode::StoreDamaged;
    switch (kind) {
    case ErrorKind::Transient:
    case ErrorKind::Throttled:
    case ErrorKind::Cancelled:
    case ErrorKind::UnknownOutcome:
        return ExitCode::Unreachable;
    case ErrorKind::NotFound:
        // From the store: an id or name on the command line that does not exist.
        return source == Source::Broker ? ExitCode::Unreachable : ExitCode::Usage;
    case ErrorKind::Rejected:
    case ErrorKind::Conflict:
    case ErrorKind::Unauthorized:
    case ErrorKind::Refused:
        return ExitCode::Refused;
    case ErrorKind::Corrupt:
        return source == Source::Broker ? ExitCode::Unreachable : ExitCode::StoreDamaged;
    case ErrorKind::StoreFailed:
        return ExitCode::StoreDamaged;
    }
    Q_UNREACHABLE();
}

} // namespace commandline
