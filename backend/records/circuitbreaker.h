#pragma once

#include "backend/core/fields.h"
#include "backend/core/time/clock.h"

#include <optional>

namespace records {

// Whether calls to a broker go, after consecutive calls without a response (http/retryingclient.h).
struct CircuitBreaker
{
    enum class State {
        Closed, // calls go as usual
        Open, // no call goes until nextTry
        Probing, // one call is under way, and all others are held back until it succeeds
    };
    friend constexpr State lastOf(State) { return State::Probing; }

    State state = State::Closed;
    int failures = 0; // consecutive calls without a response
    std::optional<core::TimePoint> nextTry; // of Open: when the next call may go; for people, so wall-clock time

    REDRIVE_FIELDS(state, failures, nextTry)
    friend bool operator==(const CircuitBreaker &, const CircuitBreaker &) = default;
};

} // namespace records
