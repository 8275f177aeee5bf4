// What the speed of a retry says: how fast it is, and how long it or another one takes. Pure functions.
#pragma once

#include "backend/records/retries/retry.h"

#include <optional>

namespace records {

// Messages per second to show: what was measured over some seconds, but never more than the rate that limits it. What
// goes in batches looks faster for a moment than it can be.
[[nodiscard]] double shownRate(const Plan &plan, double measured);

// How long the rest takes at this many messages per second. Nothing: it stands still, or it waits for its ramp, whose
// waits are no speed.
[[nodiscard]] std::optional<core::Milliseconds> timeLeft(const RetryOperation &operation, double perSecond);

// Whether its speed says how fast another retry can be: nothing held it back.
[[nodiscard]] bool isUnthrottled(const Plan &plan);

} // namespace records
