// `redrive store roles`: prints the SQL that gives people rights on a shared store. It connects to nothing and changes nothing.
// Returns the exit code.
#pragma once

#include "app/commandline/launch.h"

namespace app {

[[nodiscard]] int printStoreRoles(const commandline::Settings &settings, const commandline::RolesOptions &options);

} // namespace app
