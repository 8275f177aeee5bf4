#pragma once

#include "backend/store/identity/storeprovenance.h"

namespace store {

// The machine and the path of a store's file. For a file that does not exist yet: where it will be.
[[nodiscard]] StoreHome homeOfFile(const QString &path);

} // namespace store
