#pragma once

#include "backend/api/commands.h"
#include "backend/engine/connectionservice.h"

namespace engine {

// The standing redirects. Rights and what fits together are checked here, whoever asks; each change stands in the trail.
// Coroutines of this class run in the engine's command scope, which ends before the desk does.
class RedirectService final
{
public:
    RedirectService(ConnectionContext surroundings, ConnectionService &connections);

    // A connection that was not asked yet is asked first, so that it can tell whether the queue exists.
    [[nodiscard]] core::Task<core::Result<api::RedirectAnswer>> change(api::RedirectCommand command);

private:
    [[nodiscard]] core::Task<core::Result<api::RedirectAnswer>> add(api::RedirectCommand command);
    [[nodiscard]] core::Result<api::RedirectAnswer> remove(api::RedirectCommand &command,
                                                           const records::Connection &connection);
    // The standing redirects of the connection, given to `work` in one transaction.
    using Work = std::function<core::Result<>(store::ConnectionStore &, const QList<records::Redirect> &)>;
    [[nodiscard]] core::Result<> transact(core::ConnectionId connection, const Work &work);

    ConnectionContext m_around;
    ConnectionService &m_connections;
};

} // namespace engine
