#pragma once

#include "backend/rehearsal/environment.h"

namespace support {

// Orders that failed in "billing" (a time-out) and in "sales" (bad JSON), by turns, as NServiceBus writes them.
[[nodiscard]] engine::RehearsalJob rehearsalJob(int messages);
// Runs it in an environment of its own.
[[nodiscard]] core::Result<api::RehearsalReport> rehearse(const engine::RehearsalJob &job);

} // namespace support
