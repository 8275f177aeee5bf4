#pragma once

#include "app/commandline/launch.h"

namespace app {

// Each shows the window and runs the event loop; the exit code of the program.
[[nodiscard]] int runConsole(const commandline::Settings &settings);
[[nodiscard]] int runDemoWindow(const commandline::Settings &settings, const commandline::DemoOptions &options);

} // namespace app
