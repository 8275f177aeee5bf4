// The programs behind `redrive run`, `redrive broker` and `redrive demo --headless`. Each runs the event loop on the
// main thread, prints to the standard outputs and returns the exit code.
#pragma once

#include "app/commandline/launch.h"

namespace app {

// Runs the engine until SIGINT or SIGTERM (exit code 0). Waits for a short command that holds the store; ends with an
// error when another engine or a window holds it.
[[nodiscard]] int runEngine(const commandline::Settings &settings);
// Runs the embedded broker until SIGINT or SIGTERM (exit code 0). Its keys come from REDRIVE_BROKER_KEY,
// REDRIVE_BROKER_LISTEN_KEY and REDRIVE_BROKER_SEND_KEY. Refused: no key for all rights where one is needed.
[[nodiscard]] int runBroker(const commandline::Settings &settings, const commandline::BrokerOptions &options);
// Runs the demo scenario to its end; 130 or 143 after SIGINT or SIGTERM.
[[nodiscard]] int runDemoHeadless(const commandline::Settings &settings, const commandline::DemoOptions &options);

} // namespace app
