#pragma once

#include "app/commandline/launch.h"

namespace app {

// `redrive store copy`: prints its result and returns the exit code; 130 or 143 after SIGINT or SIGTERM, with nothing left at the
// target. Passwords: withPassword() (host/localenginehost.h), for both stores.
[[nodiscard]] int runCopy(const commandline::Settings &settings, const commandline::CopyOptions &options);

} // namespace app
