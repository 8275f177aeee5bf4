#pragma once

#include "backend/api/queuemove.h"
#include "backend/engine/connectionservice.h"

namespace engine {

// Moves of whole queues by the broker. The store knows nothing of the moved messages, only the activity log has an
// entry; so no move starts while a retry has messages of that queue. Engine thread. Its coroutines run in the engine's
// command scope, which ends before this object.
class MoveService final
{
public:
    MoveService(ConnectionContext surroundings, ConnectionService &connections);

    // Errors: see api::QueueMoves.
    [[nodiscard]] core::Task<core::Result<api::MoveAnswer>> act(api::MoveCommand command);

private:
    using RuntimePtr = std::shared_ptr<ConnectionRuntime>;

    // Reads the state of the queue.
    [[nodiscard]] core::Task<core::Result<api::MoveAnswer>> offer(RuntimePtr runtime, QString queue);
    // Checks and starts a move. Sets `waiting` to the message count of the queue, if the broker tells it.
    [[nodiscard]] core::Task<core::Result<>> begin(RuntimePtr runtime, api::MoveCommand command,
                                                   std::optional<qint64> &waiting);
    [[nodiscard]] core::Task<core::Result<>> order(RuntimePtr runtime, api::MoveCommand command);
    [[nodiscard]] core::Task<core::Result<qint64>> cancel(RuntimePtr runtime, QString queue);
    // Why Redrive itself allows no move of this queue now; empty: it does.
    [[nodiscard]] core::Result<QString> inTheWay(ConnectionRuntime &runtime, const QString &queue);

    ConnectionContext m_around;
    ConnectionService &m_connections;
};

} // namespace engine
