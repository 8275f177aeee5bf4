#pragma once

#include "backend/api/requests/queuemove.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/dispatch/commandcall.h"

namespace engine {

class CommandTable;

// Moves of whole queues by the broker. The store knows nothing of the moved messages, only the activity log has an
// entry; so no move starts while a retry has messages of that queue. Engine thread. Its coroutines run in the engine's
// command scope, which ends before this object.
class MoveService final
{
public:
    MoveService(ConnectionContext context, ConnectionService &connections);

    static void addHandlers(CommandTable &table);

private:
    using RuntimePtr = std::shared_ptr<ConnectionRuntime>;

    [[nodiscard]] core::Task<core::Result<api::MoveAnswer>> act(api::MoveQueue command, CommandCall &call);
    // Reads the state of the queue.
    [[nodiscard]] core::Task<core::Result<api::MoveAnswer>> offer(RuntimePtr runtime, QString queue);
    // Checks and starts a move.
    [[nodiscard]] core::Task<core::Result<>> begin(RuntimePtr runtime, api::MoveQueue command, CommandCall &call);
    [[nodiscard]] core::Task<core::Result<>> order(RuntimePtr runtime, api::MoveQueue command);
    [[nodiscard]] core::Task<core::Result<qint64>> cancel(RuntimePtr runtime, QString queue);
    // Why Redrive itself allows no move of this queue now; empty: it does.
    [[nodiscard]] core::Result<QString> inTheWay(ConnectionRuntime &runtime, const QString &queue);

    ConnectionContext m_context;
    ConnectionService &m_connections;
};

} // namespace engine
