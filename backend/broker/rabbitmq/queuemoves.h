#pragma once

#include "backend/broker/queuemover.h"
#include "backend/broker/rabbitmq/ownedqueues.h"
#include "backend/broker/rabbitmq/shovels.h"

#include <QHash>
#include <QSet>

namespace broker::rabbitmq {

// Whole queues that a shovel moves to another one, as the messages are. What is known of a move stands with it on the broker, since
// it goes on without us.
class QueueMoves final
{
public:
    // All outlive this object.
    QueueMoves(ManagementApi &api, core::Clock &clock, core::Timers &timers);

    // `mayShovel`: as far as is known, this account can have messages moved by shovels.
    [[nodiscard]] Task<Result<MoveOffer>> offer(QString queue, bool mayShovel);
    [[nodiscard]] Task<Result<>> begin(MoveOrder order);
    [[nodiscard]] Task<Result<qint64>> cancel(QString handle);

private:
    [[nodiscard]] Task<Result<>> put(MoveOrder order, qint64 total);
    // Nothing: none is known, neither one that goes on nor one that ended since this program began.
    [[nodiscard]] Task<Result<std::optional<records::QueueMove>>> known(LiveQueue source);
    // Its note on the broker; nothing: there is none.
    [[nodiscard]] Task<Result<std::optional<records::QueueMove>>> noteOf(QString name);
    [[nodiscard]] Task<Result<>> clearAway(QString name);

    ManagementApi &m_api;
    core::Clock &m_clock;
    OwnedQueues m_queues;
    Shovels m_shovels;
    QHash<QString, records::QueueMove> m_ended; // by the name of the move
    QSet<QString> m_beginning; // likewise
};

} // namespace broker::rabbitmq
