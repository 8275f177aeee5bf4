#pragma once

#include "backend/core/async.h"

namespace commandline {

class Context;

// A whole queue is moved by its broker. Prints what is going on and returns the exit code.
core::Task<int> moveCommand(Context &context);

} // namespace commandline
