// `redrive backup` and `redrive restore-backup`. Both work on the store files, whether an engine runs or not (a restore
// needs a store that nothing has open). Each prints its result and returns the exit code; 130 or 143 after SIGINT or
// SIGTERM.
#pragma once

#include "app/commandline/launch.h"

namespace app {

[[nodiscard]] int runBackup(const commandline::Settings &settings, const commandline::BackupOptions &options);
[[nodiscard]] int runRestore(const commandline::Settings &settings, const commandline::BackupOptions &options);

} // namespace app
