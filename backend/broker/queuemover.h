// A facet that some brokers have beside Broker: they move all messages of a queue by themselves. Nothing of it passes
// through the store, so nothing is stripped, stamped, edited or counted; who offers it says so.
#pragma once

#include "backend/core/async.h"
#include "backend/core/result.h"
#include "backend/records/queuemove.h"

#include <QList>
#include <QStringList>

namespace broker {

// What is to be known of a queue before all of it is moved.
struct MoveOffer
{
    QList<records::QueueMove> moves; // of the last while, the newest first
    QStringList facts; // whose dead letters lie there, and the like, for people
    std::optional<qint64> waiting; // messages in the queue, as far as the broker tells
    QString refusal; // why no move can begin, whatever is asked for; empty: one can
    QString guarantee;
    int mostPerSecond = 0; // that a move can be limited to; 0: it cannot be limited
    bool needsTarget = false; // it does not know of each message where it came from
};

struct MoveOrder
{
    QString queue;
    QString to; // empty: each message to the queue it came from
    std::optional<int> perSecond;
};

class QueueMover
{
public:
    QueueMover() = default;
    QueueMover(const QueueMover &) = delete;
    QueueMover &operator=(const QueueMover &) = delete;
    virtual ~QueueMover() = default;

    [[nodiscard]] virtual core::Task<core::Result<MoveOffer>> moveOffer(QString queue) = 0;
    // Begins, and does not wait for the end. UnknownOutcome: an offer asked for later shows whether it began.
    [[nodiscard]] virtual core::Task<core::Result<>> beginMove(MoveOrder order) = 0;
    // What has been moved stays where it is; how many, about. Conflict: it had ended.
    [[nodiscard]] virtual core::Task<core::Result<qint64>> cancelMove(QString handle) = 0;
};

} // namespace broker
