#pragma once

#include "backend/rehearsal/world.h"

namespace app {

// A store in memory, and the Service Bus client on the broker of a simulation. Any thread.
[[nodiscard]] rehearsal::WorldParts rehearsalParts();

} // namespace app
