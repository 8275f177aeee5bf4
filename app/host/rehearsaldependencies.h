#pragma once

#include "backend/rehearsal/environment.h"

namespace app {

// A store in memory, and the Service Bus client on the broker of a simulation. Any thread.
[[nodiscard]] rehearsal::EnvironmentDependencies rehearsalDependencies();

} // namespace app
