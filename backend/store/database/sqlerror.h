#pragma once

#include "backend/core/result.h"

class QSqlError;

namespace store {

// Turns an error of SQLite into an Error that tells people what to do. Kinds: Corrupt (damaged, or no store),
// Unauthorized (the file or its folder cannot be written), Conflict (a unique key is in use), Cancelled (interrupted),
// Transient (disk full, busy, I/O). `path`: the store's file, for the sentence. Codes: sqlite.org/rescode.html.
[[nodiscard]] core::Error sqlError(const QSqlError &error, const QString &path);

} // namespace store
