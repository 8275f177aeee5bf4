// Letting the broker move all messages of an error queue unchanged. This is no operation: the store does not know the
// messages; only the activity log records the move.
#pragma once

#include "backend/api/request.h"
#include "backend/records/queuemove.h"

#include <QStringList>

#include <optional>

namespace api {

// The state of the queue after the command.
struct MoveAnswer
{
    QList<records::QueueMove> moves; // recent ones, newest first
    QStringList facts; // about the queue, for people
    std::optional<qint64> waiting; // message count of the queue; nothing: unknown
    QString refusal; // why no move can start now; empty: one can
    QString guarantee; // what can happen to a message during a move
    int mostPerSecond = 0; // highest rate limit; 0: the broker cannot limit the rate
    bool confirmCount = false; // the person must type `waiting`: Production and limits::confirmFromCount or more
    bool needsTarget = false; // MoveQueue::to must name a queue
    QStringList targets{}; // known queues that `to` can name

    // A move is in progress.
    [[nodiscard]] bool goesOn() const { return !moves.isEmpty() && moves.constFirst().goesOn(); }

    REDRIVE_FIELDS(moves, facts, waiting, refusal, guarantee, mostPerSecond, confirmCount, targets, needsTarget)
};

// The broker carries the move out; it continues when Redrive ends. Refused: the queue is not an error queue, is
// subscribed or has messages in retry, the broker cannot move queues, or the confirmation is missing. Conflict: a move
// is already in progress. Rejected: an unsuitable rate or target. NotFound: nothing to cancel. UnknownOutcome: the
// broker did not answer and no move is seen.
struct MoveQueue
{
    using Answer = MoveAnswer;
    static constexpr RequestRules rules{"MoveQueue", AskedFrom::AnyProcess};
    // Cancelling needs no right.
    [[nodiscard]] RightsNeeded rights() const
    {
        records::Rights rights;
        rights.setFlag(records::Right::Retry, action == Action::Begin);
        rights.setFlag(records::Right::Redirect, action == Action::Begin && !to.isEmpty());
        return {rights, connection};
    }
    [[nodiscard]] QString activity() const
    {
        switch (action) {
        case Action::Offer:
            return {};
        case Action::Begin:
            return Text::tr("Move of a whole queue started");
        case Action::Cancel:
            return Text::tr("Move of a whole queue cancelled");
        }
        Q_UNREACHABLE();
    }

    [[nodiscard]] QString detail() const { return to.isEmpty() ? queue : Text::tr("%1, to %2").arg(queue, to); }

    enum class Action { Offer, Begin, Cancel };
    friend constexpr Action lastOf(Action) { return Action::Cancel; }

    core::ConnectionId connection;
    QString queue;
    Action action = Action::Offer; // Offer: reads and changes nothing. Cancel: stops the move in progress
    QString to; // empty: each message to the queue it came from
    std::optional<int> perSecond; // messages per second; nothing: no limit
    std::optional<qint64> confirmedCount; // typed by the person when MoveAnswer::confirmCount asks for it

    REDRIVE_FIELDS(connection, queue, action, to, perSecond, confirmedCount)
};

} // namespace api
