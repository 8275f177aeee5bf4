// Moving all messages of a queue on the broker itself: an administrative action beside the operations. The store is not
// part of it.
#pragma once

#include "backend/api/client.h"
#include "backend/records/queuemove.h"

#include <QList>
#include <QStringList>

#include <optional>

namespace api {

struct MoveCommand
{
    enum class Action { Look, Begin, Cancel };

    core::ConnectionId connection;
    QString queue;
    Action action = Action::Look; // to look changes nothing; to cancel ends the one that goes on
    QString to; // empty: each message to the queue it came from
    std::optional<int> perSecond;
    std::optional<qint64> confirmedCount; // typed by the person where the answer asks for it
    QString who;
};

// How things are once the command is done.
struct MoveAnswer
{
    QList<records::QueueMove> moves; // of the last while, the newest first
    QStringList facts; // of the queue
    std::optional<qint64> waiting; // messages in the queue, as far as the broker tells
    QString refusal; // why none can begin now; empty: one can
    QString guarantee;
    int mostPerSecond = 0; // 0: the rate cannot be limited
    bool confirmCount = false; // production and at least limits::confirmFromCount messages: `waiting` is to be typed
    bool needsTarget = false; // `to` must name a queue
    QStringList targets{}; // queues it may go to instead, as far as they are known

    [[nodiscard]] bool goesOn() const { return !moves.isEmpty() && moves.constFirst().goesOn(); }
};

// What the clients of an engine have beside EngineClient: few need it.
class QueueMoves
{
public:
    QueueMoves() = default;
    QueueMoves(const QueueMoves &) = delete;
    QueueMoves &operator=(const QueueMoves &) = delete;
    virtual ~QueueMoves() = default;

    // What it began goes on by itself.
    virtual Answer<MoveAnswer> moveQueue(const MoveCommand &command) = 0;
};

// Asked of the engine behind this client.
inline Answer<MoveAnswer> moveQueue(EngineClient &client, const MoveCommand &command)
{
    auto *moves = dynamic_cast<QueueMoves *>(&client);
    Q_ASSERT(moves != nullptr);
    return moves->moveQueue(command);
}

} // namespace api
