// Letting the broker move all messages of an error queue unchanged. This is no operation: the store does not know the
// messages; only the activity log records the move.
#pragma once

#include "backend/api/client.h"
#include "backend/records/queuemove.h"

#include <QList>
#include <QStringList>

#include <optional>

namespace api {

struct MoveCommand
{
    enum class Action { Offer, Begin, Cancel };

    core::ConnectionId connection;
    QString queue;
    Action action = Action::Offer; // Offer: reads and changes nothing. Cancel: stops the move in progress
    QString to; // empty: each message to the queue it came from
    std::optional<int> perSecond; // messages per second; nothing: no limit
    std::optional<qint64> confirmedCount; // typed by the person when MoveAnswer::confirmCount asks for it
    QString who;
};

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
    bool needsTarget = false; // MoveCommand::to must name a queue
    QStringList targets{}; // known queues that `to` can name

    // A move is in progress.
    [[nodiscard]] bool goesOn() const { return !moves.isEmpty() && moves.constFirst().goesOn(); }
};

// The second interface of every engine client, apart from EngineClient because few callers need it.
class QueueMoves
{
public:
    QueueMoves() = default;
    QueueMoves(const QueueMoves &) = delete;
    QueueMoves &operator=(const QueueMoves &) = delete;
    virtual ~QueueMoves() = default;

    // The broker carries the move out; it continues when Redrive ends. Refused: the queue is not an error queue, is
    // subscribed or has messages in retry, the broker cannot move queues, or the confirmation is missing. Conflict: a
    // move is already in progress. Rejected: an unsuitable rate or target. NotFound: nothing to cancel. UnknownOutcome:
    // the broker did not answer and no move is seen. Thread and futures: as EngineClient.
    virtual Answer<MoveAnswer> moveQueue(const MoveCommand &command) = 0;
};

// Calls moveQueue of a client, which must implement QueueMoves.
inline Answer<MoveAnswer> moveQueue(EngineClient &client, const MoveCommand &command)
{
    auto *moves = dynamic_cast<QueueMoves *>(&client);
    Q_ASSERT(moves != nullptr);
    return moves->moveQueue(command);
}

} // namespace api
