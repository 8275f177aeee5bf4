#pragma once

#include "backend/core/async.h"

namespace commandline {

class Context;

// `redrive move`: lets the broker move a whole queue. Prints the state of the move and returns the exit code.
core::Task<int> moveCommand(Context &context);

} // namespace commandline
