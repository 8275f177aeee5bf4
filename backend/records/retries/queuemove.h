// A broker moves all messages of a queue by itself and unchanged. An administrator starts this; it is not a retry.
#pragma once

#include "backend/core/fields.h"
#include "backend/core/time/clock.h"

#include <QList>
#include <QString>
#include <QStringList>

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

// What a person must know of a queue before the broker moves all of it.
struct MoveOffer
{
    QList<QueueMove> moves; // running and recent moves of the queue, the newest first
    QStringList facts; // for people: for example where its dead letters come from
    std::optional<qint64> waiting; // message count of the queue; nothing: unknown
    QString refusal; // for people: why no move can start now; empty: one can
    QString guarantee; // for people: what the move does to the messages, and what may arrive twice
    int mostPerSecond = 0; // highest rate limit of a move, in messages a second; 0: it cannot be limited
    bool needsTarget = false; // a target queue must be named: the broker does not know where each message came from

    // A move is in progress.
    [[nodiscard]] bool goesOn() const { return !moves.isEmpty() && moves.constFirst().goesOn(); }
};

} // namespace records
