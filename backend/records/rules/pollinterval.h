// How often Redrive lists the queues of a connection, and when what a listing said is old. Pure functions.
#pragma once

#include "backend/records/connection.h"

#include <chrono>

namespace records {

inline constexpr std::chrono::milliseconds nearPoll{5000};
inline constexpr std::chrono::milliseconds meteredPoll{30000};

// Time between two listings: 30 s for a broker that bills every call, except on this machine.
[[nodiscard]] std::chrono::milliseconds pollInterval(const Connection &connection);

// A number that is older missed several listings in a row, so it may be wrong.
[[nodiscard]] std::chrono::milliseconds outdatedAfter(const Connection &connection);

} // namespace records
