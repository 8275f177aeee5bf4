#pragma once

#include "backend/store/backup/partfile.h"
#include "backend/store/backup/storecheck.h"

namespace store {

// Writes the store as it is at one moment into a file of its own, whoever holds it and works on. It reads on a connection of its
// own and keeps nobody waiting; only the log beside the store cannot be emptied meanwhile.
//
// `VACUUM INTO` and not SQLite's backup interface: it is one statement in one read transaction, where a backup in steps is begun
// again from the start by every write of another connection, and never ends beside an engine at work. It reads every row, which
// a copy of pages does not, and leaves out what was deleted.
//
// The file is for its owner alone, is checked whole, and has its name only then. Refused: it is there already (without Replace),
// or is the store itself, or one that is in use. Cancelled when stopped. Whatever the error, nothing is left. Any thread.
[[nodiscard]] core::Result<StoreFacts> backUp(const QString &store, const QString &file, PartFile::Replace replace,
                                              const std::stop_token &stop);

} // namespace store
