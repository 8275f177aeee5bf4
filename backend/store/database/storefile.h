#pragma once

#include "backend/core/result.h"

namespace store {

// Whether the file's header marks it as a Redrive store; an empty file counts as one. A store that a killed program has
// just created may have the mark only in the log beside it: false means that it must be opened to know.
[[nodiscard]] bool bearsOurMark(const QString &path);

// Creates the file of a store with rights for its owner only (0600), in a folder of its own (0700 if created here; an
// existing folder is left as it is). An existing file keeps its content and loses the rights of others.
[[nodiscard]] core::Result<> prepareStoreFile(const QString &path);

[[nodiscard]] bool isInMemory(const QString &path);

} // namespace store
