#pragma once

#include "backend/api/requests/connections.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/dispatch/commandcall.h"

namespace engine {

class CommandTable;

// The standing redirects of connections. Checks whether redirects fit together. Engine thread. Its coroutines run in the engine's command scope, which
// ends before this object.
class RedirectService final
{
public:
    RedirectService(ConnectionContext context, ConnectionService &connections);

    static void addHandlers(CommandTable &table);

private:
    [[nodiscard]] core::Task<core::Result<api::RedirectAnswer>> change(api::ChangeRedirect command, CommandCall &call);
    // Lists the queues first if they are unknown, to check that the target exists.
    [[nodiscard]] core::Task<core::Result<api::RedirectAnswer>> add(api::ChangeRedirect command);
    [[nodiscard]] core::Result<api::RedirectAnswer> remove(api::ChangeRedirect &command,
                                                           const records::Connection &connection);
    // Runs `work` with the standing redirects of the connection, in one transaction.
    using Work = std::function<core::Result<>(store::ConnectionStore &, const QList<records::Redirect> &)>;
    [[nodiscard]] core::Result<> transact(core::ConnectionId connection, const Work &work);

    ConnectionContext m_context;
    ConnectionService &m_connections;
};

} // namespace engine
