#pragma once

#include "backend/records/retry.h"

namespace retry {

// Frozen, not at its end, and nobody holds it.
[[nodiscard]] inline bool mayGoOn(records::OperationState state)
{
    return records::isLive(state) && state != records::OperationState::Freezing
           && state != records::OperationState::Paused;
}

} // namespace retry
