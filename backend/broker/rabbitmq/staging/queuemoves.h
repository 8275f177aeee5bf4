#pragma once

#include "backend/broker/queuemover.h"
#include "backend/broker/rabbitmq/staging/ownedqueues.h"
#include "backend/broker/rabbitmq/staging/shovels.h"

#include <QHash>
#include <QSet>

namespace broker::rabbitmq {

// Moves whole queues with a shovel, as the messages are. A move goes on without us, so everything known of it is stored
// on the broker: a crash loses nothing. Contract of queuemover.h.
class QueueMoves final
{
public:
    // All outlive this object.
    QueueMoves(ManagementApi &api, core::Clock &clock, core::Timers &timers);

    // As far as is known, this account can use shovels
    [[nodiscard]] Task<Result<MoveOffer>> offer(QString queue, bool mayShovel);
    [[nodiscard]] Task<Result<>> begin(MoveOrder order);
    [[nodiscard]] Task<Result<qint64>> cancel(QString handle);

private:
    [[nodiscard]] Task<Result<>> put(MoveOrder order, qint64 total);
    // Nothing: no move is running, and none has ended since this program started.
    [[nodiscard]] Task<Result<std::optional<records::QueueMove>>> known(LiveQueue source);
    // The note of the move on the broker; nothing: there is none.
    [[nodiscard]] Task<Result<std::optional<records::QueueMove>>> noteOf(QString name);
    [[nodiscard]] Task<Result<>> clearAway(QString name);

    ManagementApi &m_api;
    core::Clock &m_clock;
    OwnedQueues m_queues;
    Shovels m_shovels;
    QHash<QString, records::QueueMove> m_ended; // by name of the move
    QSet<QString> m_beginning; // names of moves that are being started
};

} // namespace broker::rabbitmq
