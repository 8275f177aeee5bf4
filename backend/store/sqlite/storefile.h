#pragma once

#include "backend/core/result.h"

namespace store {

// Whether the file's header says that it is a store of ours; an empty one counts. What a killed program has just made may
// say so only in the log beside it: false means that it must be opened to know.
[[nodiscard]] bool bearsOurMark(const QString &path);

// Makes the file of a store with rights for its owner alone (0600) in a folder of its own (0700 when made here; a folder
// that is there already is left as it is). An existing file keeps its content and loses the rights of others.
[[nodiscard]] core::Result<> prepareStoreFile(const QString &path);

[[nodiscard]] bool isInMemory(const QString &path);

} // namespace store
