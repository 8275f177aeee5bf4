#pragma once

#include "backend/core/result.h"
#include "backend/records/connection.h"
#include "backend/records/redirect.h"

#include <QList>

namespace store {

using core::Result;

class ConnectionStore
{
public:
    ConnectionStore() = default;
    ConnectionStore(const ConnectionStore &) = delete;
    ConnectionStore &operator=(const ConnectionStore &) = delete;
    virtual ~ConnectionStore() = default;

    // Conflict when the name is taken.
    [[nodiscard]] virtual Result<core::ConnectionId> add(const records::Connection &connection) = 0;
    [[nodiscard]] virtual Result<> update(const records::Connection &connection) = 0;
    // With all that is known of its messages. Conflict, naming what is left and the way out, while messages are Unresolved
    // or in doubt, or retries or an intake have not ended.
    [[nodiscard]] virtual Result<> remove(core::ConnectionId id) = 0;
    [[nodiscard]] virtual Result<QList<records::Connection>> all() = 0;

    // How many messages taken from this queue a retry has claimed, or has in its set and goes on.
    [[nodiscard]] virtual Result<qint64> inRetryFrom(core::ConnectionId id, const QString &queue) = 0;

    // The standing redirects of a connection, each of a queue, by name.
    [[nodiscard]] virtual Result<QList<records::Redirect>> redirects(core::ConnectionId id) = 0;
    // Conflict when there is one from exactly this queue. Which ones fit together is for the caller to know.
    [[nodiscard]] virtual Result<> addRedirect(core::ConnectionId id, const records::Redirect &redirect) = 0;
    [[nodiscard]] virtual Result<> removeRedirect(core::ConnectionId id, const QString &from) = 0;
};

} // namespace store
