#pragma once

#include "backend/core/result.h"
#include "backend/records/connection.h"
#include "backend/records/redirect.h"

#include <QList>

namespace store {

using core::Result;

// Connections and their standing redirects. Secrets are never stored here. Each call is part of the caller's
// transaction (store.h) and is either complete or rolled back with it. Engine thread.
class ConnectionStore
{
public:
    ConnectionStore() = default;
    ConnectionStore(const ConnectionStore &) = delete;
    ConnectionStore &operator=(const ConnectionStore &) = delete;
    virtual ~ConnectionStore() = default;

    // Conflict: another connection has this name.
    [[nodiscard]] virtual Result<core::ConnectionId> add(const records::Connection &connection) = 0;
    // NotFound: the connection was removed. Conflict: another connection has this name.
    [[nodiscard]] virtual Result<> update(const records::Connection &connection) = 0;
    // Removes the connection with everything the store knows about its messages, retries and intakes. Conflict, with
    // the count and the way out in the message, while the connection has unresolved, archived or in-doubt messages,
    // messages in an unknown state, unfinished retries, or an intake in progress. NotFound: it was already removed.
    [[nodiscard]] virtual Result<> remove(core::ConnectionId id) = 0;
    [[nodiscard]] virtual Result<QList<records::Connection>> all() = 0;

    // How many messages taken from this queue are claimed by a retry, or belong to the frozen set of an unfinished one.
    [[nodiscard]] virtual Result<qint64> inRetryFrom(core::ConnectionId id, const QString &queue) = 0;

    // The standing redirects of a connection, ordered by the queue they redirect.
    [[nodiscard]] virtual Result<QList<records::Redirect>> redirects(core::ConnectionId id) = 0;
    // Conflict: this queue already has a redirect. The caller checks whether the redirects fit together.
    [[nodiscard]] virtual Result<> addRedirect(core::ConnectionId id, const records::Redirect &redirect) = 0;
    // NotFound: this queue has no redirect.
    [[nodiscard]] virtual Result<> removeRedirect(core::ConnectionId id, const QString &from) = 0;
};

} // namespace store
