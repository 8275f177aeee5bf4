// Who waits for the time of a retry: the store, which sends the copy then, or the broker, which gets the copy at once and
// delivers it then (Azure Service Bus, "Clone & Schedule"). Pure, any thread.
#pragma once

#include "backend/recovery/decision.h"

namespace recovery {

struct Delivery
{
    core::TimePoint sendAt; // when the copy is given to the broker
    std::optional<core::TimePoint> deliverAt; // the broker delivers it not before this time; nothing: at once

    friend bool operator==(const Delivery &, const Delivery &) = default;
};

// Of a decision to retry that was made at `from`. `longest`: for how long the broker can hold back a message; 0: not at
// all. The broker waits only if it can hold the message for the whole rest of the delay. Both times are absolute: whoever
// stores them sends the same copy again after a crash without a later or a second delay.
[[nodiscard]] Delivery deliveryOf(const Policy &policy, const Decision &decision, core::TimePoint from,
                                  core::TimePoint now, core::Milliseconds longest);

} // namespace recovery
