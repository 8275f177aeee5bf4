// An optional part of a broker: the broker itself moves all messages of a queue, as they are. Redrive does not store,
// edit, stamp or count these messages, and MoveOffer::guarantee says so. The rules of broker.h hold here as well. A
// move goes on when the program ends.
#pragma once

#include "backend/core/async.h"
#include "backend/core/result.h"
#include "backend/records/retries/queuemove.h"

#include <QString>

#include <optional>

namespace broker {

using records::MoveOffer;

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
