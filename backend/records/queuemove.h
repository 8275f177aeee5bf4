// A broker moves all messages of a queue by itself and unchanged. An administrator starts this; it is not a retry.
#pragma once

#include "backend/core/clock.h"
#include "backend/core/fields.h"

#include <QString>

#include <optional>

namespace records {

struct QueueMove
{
    enum class State { Running, Cancelling, Completed, Cancelled, Failed };
    friend constexpr State lastOf(State) { return State::Failed; }

    State state = State::Running;
    QString handle; // identifies the move when it is cancelled; empty: it can no longer be cancelled
    QString to; // empty: each message goes to the queue it came from
    qint64 moved = 0; // approximate
    std::optional<qint64> total; // approximate message count at the start; nothing: not known yet
    std::optional<int> perSecond; // nothing: the broker decides
    std::optional<core::TimePoint> began;
    QString reason; // why it failed, for people

    [[nodiscard]] bool goesOn() const { return state == State::Running || state == State::Cancelling; }
    REDRIVE_FIELDS(state, handle, to, moved, total, perSecond, began, reason)
    friend bool operator==(const QueueMove &, const QueueMove &) = default;
};

} // namespace records
