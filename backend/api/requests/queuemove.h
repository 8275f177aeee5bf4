// Letting the broker move all messages of an error queue unchanged. This is no operation: the store does not know the
// messages; only the activity log records the move.
#pragma once

#include "backend/api/request.h"
#include "backend/records/retries/queuemove.h"

#include <optional>

namespace api {

// What the broker says of the queue after the command, and what Redrive asks of a person.
struct MoveAnswer : records::MoveOffer
{
    bool confirmCount = false; // the person must type `waiting`: Production and limits::confirmFromCount or more
    QStringList targets{}; // known queues that MoveQueue::to can name

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
