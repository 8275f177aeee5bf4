// A policy in words.
#pragma once

#include "backend/recovery/schedule.h"

#include <QString>

namespace recovery {

// What a policy does, in one sentence: "5 at once, then after 10, 20, 30 s with 5 each: 24 attempts in at most 1 min". If
// it waits at the broker, a second one says so. Without the last full stop.
[[nodiscard]] QString sentenceOf(const Policy &policy);
// "10 s", or "5 s to 10 s" where jitter spreads it.
[[nodiscard]] QString rangeText(const DelayRange &range);
// What happens in the end: "Then the message stays unresolved, marked as exhausted."
[[nodiscard]] QString endingOf(const Policy &policy);

} // namespace recovery
