#pragma once

#include "backend/api/queuemove.h"
#include "backend/engine/connectionservice.h"

namespace engine {

// Whole queues that brokers move by themselves. It is no retry: nothing of it is in the store but one entry of the trail, so
// none begins while a retry has messages of that queue, and what comes back of them, in its hands.
// Coroutines of this class run in the engine's command scope, which ends before the desk does.
class MoveService final
{
public:
    MoveService(ConnectionContext surroundings, ConnectionService &connections);

    [[nodiscard]] core::Task<core::Result<api::MoveAnswer>> act(api::MoveCommand command);

private:
    using RuntimePtr = std::shared_ptr<ConnectionRuntime>;

    // As it stands, without changing anything.
    [[nodiscard]] core::Task<core::Result<api::MoveAnswer>> browse(RuntimePtr runtime, QString queue);
    // Whatever is wrong with it; `waiting`: how many would go.
    [[nodiscard]] core::Task<core::Result<>> begin(RuntimePtr runtime, api::MoveCommand command,
                                                   std::optional<qint64> &waiting);
    [[nodiscard]] core::Task<core::Result<>> order(RuntimePtr runtime, api::MoveCommand command);
    [[nodiscard]] core::Task<core::Result<qint64>> cancel(RuntimePtr runtime, QString queue);
    // Why no move of this queue can begin now, as far as this program is concerned; empty: one can.
    [[nodiscard]] core::Result<QString> inTheWay(ConnectionRuntime &runtime, const QString &queue);

    ConnectionContext m_around;
    ConnectionService &m_connections;
};

} // namespace engine
