#pragma once

#include "backend/api/requests/connections.h"
#include "backend/engine/connection/asyncmutex.h"
#include "backend/engine/connection/connectionruntime.h"
#include "backend/engine/dispatch/commandcall.h"

#include <map>
#include <memory>
#include <set>

namespace engine {

class CommandTable;

// All connections: stored, and each open in a ConnectionRuntime. Carries out the requests of api/connections.h but for
// redirects. Engine thread. Its coroutines run in the engine's command scope, which ends before this object.
class ConnectionService final
{
public:
    explicit ConnectionService(ConnectionContext context);
    ~ConnectionService();
    ConnectionService(const ConnectionService &) = delete;
    ConnectionService &operator=(const ConnectionService &) = delete;

    // Opens every stored connection; each continues what an earlier run left unfinished.
    [[nodiscard]] core::Task<core::Result<>> openAll();
    // Ends everything in progress with Cancelled and opens nothing new.
    void cancelAll();
    // Likewise, and waits for it.
    [[nodiscard]] core::Task<> stopAll();

    static void addHandlers(CommandTable &table);

    // Closes and opens an open connection. `refused`: the broker refused a login without a secret, so it gets no
    // further login until there is one.
    [[nodiscard]] core::Task<> reopen(core::ConnectionId id, bool refused);
    // Why secrets entered here are lost when this program ends; empty: they are stored.
    [[nodiscard]] const QString &secretsNotKept() const { return m_noPlace; }

    // NotFound: it is not open.
    [[nodiscard]] core::Result<std::shared_ptr<ConnectionRuntime>> find(core::ConnectionId id) const;
    [[nodiscard]] QList<std::shared_ptr<ConnectionRuntime>> all() const; // the open ones, ordered by id
    // As stored, open or not. NotFound: there is no such connection.
    [[nodiscard]] core::Result<records::Connection> record(core::ConnectionId id) const;

    // The names that secrets are kept under: those of all other connections and of all pipelines.
    [[nodiscard]] core::Result<QStringList> namesBeside(core::ConnectionId id) const;
    // The secret under the name of a connection or a pipeline. Errors: those of core::Secrets.
    [[nodiscard]] core::Task<core::Result<QString>> readSecret(QString name);

private:
    [[nodiscard]] core::Task<core::Result<core::ConnectionId>> save(api::SaveConnection command, CommandCall &call);
    [[nodiscard]] core::Task<core::Result<>> choose(api::ChooseErrorQueues command, CommandCall &call);
    [[nodiscard]] core::Task<core::Result<>> remove(api::RemoveConnection command, CommandCall &call);
    [[nodiscard]] core::Task<core::Result<api::ConnectionTest>> test(api::TestConnection request);
    [[nodiscard]] core::Task<core::Result<>> refresh(api::RefreshQueues);
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> intake(api::TakeMessages command, CommandCall &call);
    [[nodiscard]] core::Task<core::Result<records::BrowseCounts>> browse(api::BrowseMessages command,
                                                                         CommandCall &call);
    [[nodiscard]] core::Result<> subscribe(const api::ChangeSubscription &command, CommandCall &call);
    [[nodiscard]] static core::Result<QStringList> queuesToSubscribe(const ConnectionRuntime &runtime,
                                                                     const QString &queue);
    [[nodiscard]] static core::Result<QStringList> queuesToUnsubscribe(ConnectionRuntime &runtime,
                                                                       const QString &queue);
    // Does nothing if it is open already or was removed from the store.
    [[nodiscard]] core::Task<> open(core::ConnectionId id, bool again = false);
    [[nodiscard]] core::Task<> close(core::ConnectionId id);
    [[nodiscard]] core::Result<QList<records::Connection>> storedConnections() const;
    [[nodiscard]] core::Task<> findPlace();
    // Secrets are stored by connection name: refuses to rename while the secret cannot be read and would be lost.
    [[nodiscard]] core::Task<core::Result<>> mayRename(records::Connection before, api::ConnectionDraft draft);
    // Stores the new secret, or the old one, under the current name. `before`: the previous name; empty: none.
    [[nodiscard]] core::Task<core::Result<>> keepSecret(QString before, QString name, std::optional<QString> secret);
    [[nodiscard]] core::Task<> forgetSecret(QString name);
    [[nodiscard]] std::shared_ptr<broker::Broker> askOnly(const records::Connection &connection, const QString &secret);
    void warn(const QString &what, const QString &name, const core::Error &error);
    // Closes the connection and checks whether it may move to the draft's address.
    [[nodiscard]] core::Task<core::Result<>> leave(records::Connection before, api::ConnectionDraft draft);
    [[nodiscard]] core::Result<core::ConnectionId> keep(const records::Connection &connection, const QString &oldName,
                                                        const QString &who);

    ConnectionContext m_context;
    AsyncMutex m_turns; // open, save and remove one at a time: each waits for secrets and for running work
    std::map<core::ConnectionId, std::shared_ptr<ConnectionRuntime>> m_runtimes;
    std::map<core::ConnectionId, QString> m_secretsNotKept; // why not, and what to do
    std::set<core::ConnectionId> m_refused; // the broker refused a login without a secret
    QString m_noPlace;
    std::vector<std::weak_ptr<broker::Broker>> m_probes; // brokers without a runtime, for one question
    bool m_cancelled = false;
};

} // namespace engine
