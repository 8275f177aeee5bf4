// An optional part of a broker: the broker itself moves all messages of a queue, as they are. Redrive does not store,
// edit, stamp or count these messages, and MoveOffer::guarantee says so. The rules of broker.h hold here as well. A
// move goes on when the program ends.
#pragma once

#include "backend/core/async.h"
#include "backend/core/result.h"
#include "backend/records/queuemove.h"

#include <QList>
#include <QStringList>

namespace broker {

// What a person must know of a queue before moving all of it.
struct MoveOffer
{
    QList<records::QueueMove> moves; // running and recent moves of the queue, the newest first
    QStringList facts; // for people: for example where its dead letters come from
    std::optional<qint64> waiting; // message count of the queue; nothing: unknown
    QString refusal; // for people: why no move can start; empty: one can
    QString guarantee; // for people: what the move does to the messages, and what may arrive twice
    int mostPerSecond = 0; // highest rate limit of a move, in messages a second; 0: it cannot be limited
    bool needsTarget = false; // MoveOrder::to is required: the broker does not know where each message came from
};

struct MoveOrder
{
    QString queue;
    QString to; // target queue; empty: each message goes to the queue that it came from
    std::optional<int> perSecond; // rate limit; nothing: none
};

class QueueMover
{
public:
    QueueMover() = default;
    QueueMover(const QueueMover &) = delete;
    QueueMover &operator=(const QueueMover &) = delete;
    virtual ~QueueMover() = default;

    // Describes what a move of the queue would do, with the moves that the broker knows of. Starts nothing.
    [[nodiscard]] virtual core::Task<core::Result<MoveOffer>> moveOffer(QString queue) = 0;
    // Starts a move and does not wait for its end. Conflict: a move of this queue is running. UnknownOutcome: it may
    // have started; a later moveOffer() shows it.
    [[nodiscard]] virtual core::Task<core::Result<>> beginMove(MoveOrder order) = 0;
    // Ends the move with this QueueMove::handle and returns about how many messages it moved; these stay in the target
    // queue. Conflict: the move had already finished.
    [[nodiscard]] virtual core::Task<core::Result<qint64>> cancelMove(QString handle) = 0;
};

} // namespace broker
