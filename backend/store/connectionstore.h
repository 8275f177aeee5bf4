#pragma once

#include "backend/core/result.h"
#include "backend/records/connection.h"
#include "backend/records/retries/redirect.h"
#include "backend/records/rules/connectionuse.h"

#include <QHash>
#include <QList>

namespace store {

using core::Result;

class Database;
class RetryLedger;
class TransactionCounters;

// Connections and their standing redirects. Secrets are never stored here. Each call is part of the caller's
// transaction (store.h) and is either complete or rolled back with it. Engine thread.
class ConnectionStore final
{
public:
    ConnectionStore(Database &database, TransactionCounters &counters, RetryLedger &ledger);
    ConnectionStore(const ConnectionStore &) = delete;
    ConnectionStore &operator=(const ConnectionStore &) = delete;

    // Conflict: another connection has this name.
    [[nodiscard]] Result<core::ConnectionId> add(const records::Connection &connection);
    // NotFound: the connection was removed. Conflict: another connection has this name.
    [[nodiscard]] Result<> update(const records::Connection &connection);
    // Removes the connection with everything the store knows about its messages, retries and intakes. Conflict, with
    // the count and the way out in the message, while the connection has unresolved, archived or in-doubt messages,
    // messages in an unknown state, unfinished retries, or an intake in progress. NotFound: it was already removed.
    [[nodiscard]] Result<> remove(core::ConnectionId id);
    [[nodiscard]] Result<QList<records::Connection>> all();

    // How many messages taken from this queue are claimed by a retry, or belong to the frozen set of an unfinished one.
    [[nodiscard]] Result<qint64> inRetryFrom(core::ConnectionId id, const QString &queue);

    // The standing redirects of a connection, ordered by the queue they redirect.
    [[nodiscard]] Result<QList<records::Redirect>> redirects(core::ConnectionId id);
    // Conflict: this queue already has a redirect. The caller checks whether the redirects fit together.
    [[nodiscard]] Result<> addRedirect(core::ConnectionId id, const records::Redirect &redirect);
    // NotFound: this queue has no redirect.
    [[nodiscard]] Result<> removeRedirect(core::ConnectionId id, const QString &from);

    // The queues that Redrive took from, or was subscribed to, before it took from named queues alone, and about which no
    // person has decided since. Naming a queue in update(), or ending that, is a decision.
    [[nodiscard]] Result<QHash<core::ConnectionId, QStringList>> foundQueues();
    // A person decided about these.
    [[nodiscard]] Result<> answerFound(core::ConnectionId id, const QStringList &queues);

private:
    [[nodiscard]] Result<records::ConnectionUse> useOf(core::ConnectionId id);

    Database &m_database;
    RetryLedger &m_ledger;
    TransactionCounters &m_counters;
};

// Shared with the read-only side.
[[nodiscard]] Result<QList<records::Connection>> allConnections(Database &database);

} // namespace store
