#pragma once

#include "backend/core/result.h"

namespace commandline {

// The file behind `--store URL`: "sqlite:PATH", or a bare path. Empty: redrive.db in the XDG data folder, in a folder of
// its own for a profile. A profile is a name of letters, digits, '-', '_' and '.'.
[[nodiscard]] core::Result<QString> storePathFrom(const QString &url, const QString &profile);

} // namespace commandline
