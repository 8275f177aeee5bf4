#pragma once

#include <chrono>

namespace core::limits {

// What a process that died had sent may reach a broker this much later. After that it has arrived, or never will.
inline constexpr std::chrono::seconds lateRequests{10};

} // namespace core::limits
