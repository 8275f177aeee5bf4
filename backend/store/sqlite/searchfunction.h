#pragma once

#include "backend/core/result.h"

struct sqlite3;

namespace store {

// Adds redrive_contains(text, needle) to a connection: 1 when the text contains the needle, whatever the case, in any
// alphabet (SQLite's own LIKE knows only ASCII). The needle must be folded already with foldCase.
[[nodiscard]] core::Result<> addSearchFunction(sqlite3 *handle);

[[nodiscard]] QString foldCase(const QString &text);

} // namespace store
