#pragma once

#include "backend/broker/queuemover.h"
#include "backend/broker/rabbitmq/staging/ownedqueues.h"
#include "backend/broker/rabbitmq/staging/shovels.h"
#include "backend/core/random.h"

#include <QHash>
#include <QSet>

namespace broker::rabbitmq {

// Moves whole queues with a shovel, as the messages are. A move goes on without us, so everything known of it is stored
// on the broker: a crash loses nothing. Contract of queuemover.h.
class QueueMoves final
{
public:
    // All outlive this object.
    QueueMoves(ManagementApi &api, Shovels &shovels, core::Clock &clock, core::Random &random);

    // As far as is known, this account can use shovels
    [[nodiscard]] Task<Result<MoveOffer>> offer(QString queue, bool mayShovel);
    [[nodiscard]] Task<Result<>> begin(MoveOrder order);
    [[nodiscard]] Task<Result<qint64>> cancel(QString handle);

private:
    // Why a queue of this kind cannot be moved, for people; empty: it can.
    [[nodiscard]] Task<Result<QString>> refusalToMove(LiveQueue source);
    [[nodiscard]] Task<Result<>> put(MoveOrder order, qint64 total);
    [[nodiscard]] Task<Result<>> openWay(QString name, MoveOrder order, qint64 total);
    // Nothing: no move is running, and none has ended since this program started.
    [[nodiscard]] Task<Result<std::optional<records::QueueMove>>> known(LiveQueue source);
    [[nodiscard]] Task<Result<records::QueueMove>> running(QString name, records::QueueMove move);
    // The names of the moves with one of these exchanges, and what their notes say; newest last.
    [[nodiscard]] Task<Result<QList<QPair<QString, records::QueueMove>>>> notesOf(QStringList exchanges);
    [[nodiscard]] Task<Result<std::optional<records::QueueMove>>> noteOf(QString name);
    // Removes what is left of all moves under this name, which have ended.
    [[nodiscard]] Task<Result<>> clearAway(QString name);

    ManagementApi &m_api;
    core::Clock &m_clock;
    core::Random &m_random;
    OwnedQueues m_queues;
    Shovels &m_shovels;
    QHash<QString, records::QueueMove> m_ended; // by the start of their names
    QSet<QString> m_beginning; // starts of the names of moves that are being started
};

} // namespace broker::rabbitmq
