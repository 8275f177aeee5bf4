#pragma once

#include "app/commandline/launch.h"

namespace app {

// `redrive store copy`: prints its result and returns the exit code; 130 or 143 after SIGINT or SIGTERM, with nothing left at the
// target. The password of a shared store is the secret "store-from" or "store-to", else "store": REDRIVE_SECRET_STORE_FROM and so
// on, or a line of --secret-file; without one libpq looks for it.
[[nodiscard]] int runCopy(const commandline::Settings &settings, const commandline::CopyOptions &options);

} // namespace app
