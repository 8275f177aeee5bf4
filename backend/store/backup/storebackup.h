#pragma once

#include "backend/core/files/partfile.h"
#include "backend/store/backup/storecheck.h"

namespace store {

using core::PartFile;

// Writes the store, as it is at one moment, into a file of its own, even while another process uses the store. It reads
// on its own connection and delays nobody; only the write-ahead log cannot be emptied meanwhile.
//
// It uses `VACUUM INTO`, not SQLite's backup interface: this is one statement in one read transaction, while a backup
// in steps starts again with every write of another connection and would never end beside a working engine. It reads
// every row, which copying pages does not, and leaves out deleted data.
//
// Only the owner can read the file. It is checked completely before it gets its name. Refused: the file exists (and
// `replace` is No), is part of the store, by any name, or is a store in use. Transient: not enough space. Corrupt: the store or the
// written file is damaged. Cancelled: stopped. After any error no file is left; a killed program leaves at most a file
// with a temporary name. Any thread.
[[nodiscard]] core::Result<StoreFacts> backUp(const QString &store, const QString &file, PartFile::Replace replace,
                                              const std::stop_token &stop);

} // namespace store
