#pragma once

#include "app/commandline/launch.h"

namespace app {

// Opens the console on the store of the user, runs the event loop and returns the exit code of the program.
[[nodiscard]] int runConsole(const commandline::Settings &settings);
// Opens the console on the demo, runs the event loop and returns the exit code of the program.
[[nodiscard]] int runDemoWindow(const commandline::DemoOptions &options);

} // namespace app
