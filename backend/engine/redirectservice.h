#pragma once

#include "backend/api/commands.h"
#include "backend/engine/connectionservice.h"

namespace engine {

// The standing redirects of connections. Checks the rights and whether redirects fit together. Every change, also a
// refused one, has an entry in the activity log. Engine thread. Its coroutines run in the engine's command scope, which
// ends before this object.
class RedirectService final
{
public:
    RedirectService(ConnectionContext surroundings, ConnectionService &connections);

    // Lists the queues first if they are unknown, to check that the target exists. Errors: see api/client.h.
    [[nodiscard]] core::Task<core::Result<api::RedirectAnswer>> change(api::RedirectCommand command);

private:
    [[nodiscard]] core::Task<core::Result<api::RedirectAnswer>> add(api::RedirectCommand command);
    [[nodiscard]] core::Result<api::RedirectAnswer> remove(api::RedirectCommand &command,
                                                           const records::Connection &connection);
    // Runs `work` with the standing redirects of the connection, in one transaction.
    using Work = std::function<core::Result<>(store::ConnectionStore &, const QList<records::Redirect> &)>;
    [[nodiscard]] core::Result<> transact(core::ConnectionId connection, const Work &work);

    ConnectionContext m_around;
    ConnectionService &m_connections;
};

} // namespace engine
