#pragma once

#include "backend/core/result.h"

namespace commandline {

// The numbers are a promise to scripts.
enum class ExitCode {
    Done = 0,
    DoneWithRest = 1, // some messages were ejected, are in doubt or came back, or some queues refused
    Usage = 2,
    Unreachable = 3, // a broker or the store; or the output cannot be written
    Refused = 4, // rights, read-only, confirmation missing, held elsewhere
    StoreDamaged = 5, // or not writable
};

// Who gave the error: an undecodable answer of a broker is no damaged store.
enum class Source {
    Store,
    StoreFile, // the file as a whole, when it is opened
    Broker,
};

[[nodiscard]] ExitCode exitCodeOf(core::ErrorKind kind, Source source);

} // namespace commandline
