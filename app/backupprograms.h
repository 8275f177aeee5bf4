// `redrive backup` and `redrive restore-backup`: they work on the files, beside or without an engine.
#pragma once

#include "app/commandline/launch.h"

namespace app {

[[nodiscard]] int runBackup(const commandline::Settings &settings, const commandline::BackupOptions &options);
[[nodiscard]] int runRestore(const commandline::Settings &settings, const commandline::BackupOptions &options);

} // namespace app
