// A broker moves all messages of a queue by itself, as they are: what an administrator does, beside the retries.
#pragma once

#include "backend/core/clock.h"

#include <QString>

#include <optional>

namespace records {

struct QueueMove
{
    enum class State { Running, Cancelling, Completed, Cancelled, Failed };

    State state = State::Running;
    QString handle; // what it is cancelled by; empty: it cannot be, any more
    QString to; // empty: each message to the queue it came from
    qint64 moved = 0; // about
    std::optional<qint64> total; // about: as many as there were when it began; nothing: not known yet
    std::optional<int> perSecond; // nothing: as the broker likes
    std::optional<core::TimePoint> began;
    QString reason; // why it failed, for people

    [[nodiscard]] bool goesOn() const { return state == State::Running || state == State::Cancelling; }
    friend bool operator==(const QueueMove &, const QueueMove &) = default;
};

} // namespace records
