#pragma once

#include "backend/core/result.h"

class QSqlError;

namespace store {

// What SQLite says, as an Error that tells what to do: Corrupt (damaged, or no store at all), Unauthorized (the file or its
// folder cannot be written), Conflict (a unique key is taken), Cancelled (interrupted), Transient (disk full, busy, I/O).
// `path` is the store's file, for the sentence. Codes: sqlite.org/rescode.html.
[[nodiscard]] core::Error sqlError(const QSqlError &error, const QString &path);

} // namespace store
