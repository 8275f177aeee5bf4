#pragma once

#include "backend/api/commands.h"
#include "backend/engine/asyncmutex.h"
#include "backend/engine/connectionruntime.h"

#include <map>
#include <memory>
#include <set>

namespace engine {

// The connections: kept in the store, each at work in its runtime. Commands of people are checked for rights here.
// `who`: the person who asks, for the trail; empty: the engine itself.
// Coroutines of this class run in the engine's command scope, which ends before the desk does.
class ConnectionService final
{
public:
    explicit ConnectionService(ConnectionContext surroundings);
    ~ConnectionService();
    ConnectionService(const ConnectionService &) = delete;
    ConnectionService &operator=(const ConnectionService &) = delete;

    // Puts every connection of the store to work; each recovers by itself what the run before left.
    [[nodiscard]] core::Task<core::Result<>> openAll();
    // Ends everything of every connection with Cancelled.
    void cancelAll();
    [[nodiscard]] core::Task<> stopAll();

    [[nodiscard]] core::Task<core::Result<core::ConnectionId>> save(api::ConnectionDraft draft, QString who);
    [[nodiscard]] core::Task<core::Result<>> remove(core::ConnectionId id, QString who);
    [[nodiscard]] core::Task<core::Result<api::ConnectionTest>> test(api::ConnectionDraft draft);
    [[nodiscard]] core::Task<core::Result<>> refresh();
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> intake(api::IntakeRequest request, QString who);
    [[nodiscard]] core::Task<core::Result<records::BrowseCounts>> browse(api::BrowseRequest request, QString who);
    [[nodiscard]] core::Result<> subscribe(const api::SubscribeRequest &request, const QString &who);

    // Opens a connection that is at work once more. `refused`: its broker refused a login without a secret, and is not asked
    // again before there is one.
    [[nodiscard]] core::Task<> reopen(core::ConnectionId id, bool refused);
    // Why a secret that is given here is known for this run only; empty: it is kept.
    [[nodiscard]] const QString &secretsNotKept() const { return m_noPlace; }

    // NotFound when there is none.
    [[nodiscard]] core::Result<std::shared_ptr<ConnectionRuntime>> find(core::ConnectionId id) const;
    [[nodiscard]] QList<std::shared_ptr<ConnectionRuntime>> all() const; // in the order of their ids
    // As the store has it now, also before it is at work and while it is saved. NotFound when there is none.
    [[nodiscard]] core::Result<records::Connection> record(core::ConnectionId id) const;

private:
    [[nodiscard]] static core::Result<QStringList> queuesToFollow(const ConnectionRuntime &runtime,
                                                                  const QString &queue);
    [[nodiscard]] static core::Result<QStringList> queuesToUnfollow(ConnectionRuntime &runtime, const QString &queue);
    // Nothing is done when it runs already, or is not in the store any more.
    [[nodiscard]] core::Task<> open(core::ConnectionId id, bool again = false);
    [[nodiscard]] core::Task<> close(core::ConnectionId id);
    [[nodiscard]] core::Result<QList<records::Connection>> storedConnections() const;
    // Of all connections but this one.
    [[nodiscard]] core::Result<QStringList> namesBeside(core::ConnectionId id) const;
    [[nodiscard]] core::Task<core::Result<QString>> readSecret(QString name);
    [[nodiscard]] core::Task<> lookForPlace();
    // A new name takes the secret along: what cannot be read would be lost.
    [[nodiscard]] core::Task<core::Result<>> mayRename(records::Connection before, api::ConnectionDraft draft);
    // A new secret, or the one there was, under the name that the connection has now. `before` empty: it is new.
    [[nodiscard]] core::Task<core::Result<>> keepSecret(QString before, QString name, std::optional<QString> secret);
    [[nodiscard]] core::Task<> forgetSecret(QString name);
    [[nodiscard]] std::shared_ptr<broker::Broker> askOnly(const records::Connection &connection, const QString &secret);
    void warn(const QString &what, const QString &name, const core::Error &error);
    // Ends its work, and says whether it may go on at the draft's address.
    [[nodiscard]] core::Task<core::Result<>> leave(records::Connection before, api::ConnectionDraft draft);
    [[nodiscard]] core::Result<core::ConnectionId> keep(const records::Connection &connection);

    ConnectionContext m_around;
    AsyncMutex m_turns; // opening, saving and removing wait for secrets and for ends: never two at a time
    std::map<core::ConnectionId, std::shared_ptr<ConnectionRuntime>> m_runtimes;
    std::map<core::ConnectionId, QString> m_secretsNotKept; // why, and what to do
    std::set<core::ConnectionId> m_refused; // logins without a secret
    QString m_noPlace;
    std::vector<std::weak_ptr<broker::Broker>> m_probes; // brokers made only to be asked
    bool m_cancelled = false;
};

} // namespace engine
