// What the sandbox itself writes on its messages. Pure functions for any thread.
#pragma once

#include "backend/core/time/clock.h"
#include "backend/records/messages/headers.h"

namespace sandbox {

inline constexpr QStringView messageNumberHeader = u"Sandbox.Number";

// The number of a message in its scenario; -1 for a message of somebody else.
[[nodiscard]] int numberOf(const records::Headers &headers);
// Whether somebody returned it from the error queue: a policy of the sandbox, or Redrive, which leaves its stamp.
[[nodiscard]] bool hasBeenReturned(const records::Headers &headers);
// The broker gives the message to nobody before this time.
void scheduleFor(records::Envelope &envelope, core::TimePoint time);

} // namespace sandbox
