#pragma once

#include "backend/records/retry.h"

namespace retry {

// Its set is frozen, it has not ended, and nobody paused it.
[[nodiscard]] inline bool mayGoOn(records::OperationState state)
{
    return records::isLive(state) && state != records::OperationState::Freezing
           && state != records::OperationState::Paused;
}

} // namespace retry
