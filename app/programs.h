// The programs of `redrive` that are no single command: each runs the event loop and returns the exit code of cli.md.
#pragma once

#include "app/commandline/launch.h"

namespace app {

[[nodiscard]] int runEngine(const commandline::Settings &settings);
[[nodiscard]] int runBroker(const commandline::Settings &settings, const commandline::BrokerOptions &options);
[[nodiscard]] int runDemoHeadless(const commandline::Settings &settings, const commandline::DemoOptions &options);

} // namespace app
