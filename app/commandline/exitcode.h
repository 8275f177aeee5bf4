#pragma once

#include "backend/core/result.h"
#include "backend/records/address/storeaddress.h"

namespace commandline {

// Scripts depend on these numbers.
enum class ExitCode {
    Done = 0,
    DoneWithRest = 1, // some messages were ejected, in doubt, back or changed by others, or queues refused
    Usage = 2,
    Unreachable = 3, // a broker or the store; or the output cannot be written
    Refused = 4, // rights, read-only, missing confirmation, changed by others, or held by another program
    StoreDamaged = 5, // or not writable
};

// The origin of an error, because a corrupt response of a broker is not a damaged store.
enum class Source {
    Store,
    StoreFile, // the store file, when it is opened
    Broker,
};

// Of opening a store: its file, or a server that may be away.
[[nodiscard]] Source sourceOf(const records::StoreAddress &store);
// The exit code for an error of this kind from this origin.
[[nodiscard]] ExitCode exitCodeOf(core::ErrorKind kind, Source source);

} // namespace commandline
