#pragma once

#include "backend/core/result.h"

struct sqlite3;

namespace store {

// Adds redrive_contains(text, needle) to a connection: 1 if the text contains the needle, ignoring case in any alphabet
// (SQLite's LIKE knows only ASCII). The needle must be folded with foldCase.
[[nodiscard]] core::Result<> addSearchFunction(sqlite3 *handle);

[[nodiscard]] QString foldCase(const QString &text);

} // namespace store
