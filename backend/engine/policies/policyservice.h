#pragma once

#include "backend/api/requests/policies.h"
#include "backend/engine/dispatch/commandcall.h"
#include "backend/engine/policies/policyviews.h"

namespace engine {

class CommandTable;

// Carries out the requests of api/policies.h, and owns the scheduler that runs the policies. Engine thread. Its coroutines
// run in the engine's command scope, which ends before this object.
class PolicyService final
{
public:
    PolicyService(ConnectionContext context, ConnectionService &connections, RetryService &retries,
                  const PauseAllService &pausing);

    static void addHandlers(CommandTable &table);

    [[nodiscard]] PolicyScheduler &scheduler() { return m_scheduler; }
    // For a snapshot. `change`: the change number of the store.
    [[nodiscard]] core::Result<QList<api::PolicyView>> views(store::Session &session, qint64 change)
    {
        return m_views.views(session, change);
    }

private:
    [[nodiscard]] core::Task<core::Result<QString>> set(api::SetPolicy command, CommandCall &call);
    [[nodiscard]] core::Result<> remove(const api::RemovePolicy &command, CommandCall &call);
    [[nodiscard]] core::Task<core::Result<core::AssignmentId>> assign(api::AssignPolicy command, CommandCall &call);
    [[nodiscard]] core::Task<> learnWaysBack(recovery::Exhausted ending);
    [[nodiscard]] core::Result<> unassign(const api::UnassignPolicy &command, CommandCall &call);
    [[nodiscard]] core::Result<> pause(const api::PausePolicy &command, CommandCall &call);
    [[nodiscard]] core::Task<core::Result<qint64>> exclude(api::ExcludeFromPolicy command, CommandCall &call);

    [[nodiscard]] core::Result<recovery::Scope> checkedScope(store::Session &session, recovery::Scope scope) const;
    [[nodiscard]] core::Result<> save(store::Session &session, const recovery::Policy &policy) const;
    [[nodiscard]] core::Result<> checkRecognizes(core::ConnectionId connection) const;
    [[nodiscard]] core::Result<> checkFits(const recovery::Policy &policy, const recovery::Scope &scope) const;
    [[nodiscard]] core::Result<> resumeStopped(const QString &policy, const QString &who);
    // Changes the rules in one transaction; every message then meets them again.
    [[nodiscard]] core::Result<> changeRules(const std::function<core::Result<>(store::Session &)> &work);

    ConnectionContext m_context;
    ConnectionService &m_connections;
    const PauseAllService &m_pausing;
    PolicyScheduler m_scheduler;
    PolicyViews m_views;
};

} // namespace engine
