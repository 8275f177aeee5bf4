#pragma once

#include <chrono>

namespace core::limits {

// How long after a process died its requests may still reach a broker. After that time they have arrived or never will.
inline constexpr std::chrono::seconds lateRequests{10};

} // namespace core::limits
