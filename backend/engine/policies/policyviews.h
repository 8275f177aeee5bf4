#pragma once

#include "backend/api/requests/policyview.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/policies/policyscheduler.h"

namespace engine {

// What snapshots say about the policies. Counting messages takes about 50 ns for each one under a policy, so they are
// counted when something changed, and at most once a second. Engine thread.
class PolicyViews final
{
public:
    PolicyViews(const ConnectionContext &context, const ConnectionService &connections, PolicyScheduler &scheduler);

    // `change`: the change number of the store.
    [[nodiscard]] core::Result<QList<api::PolicyView>> views(store::Session &session, qint64 change);
    // Policies or assignments changed: count at once.
    void rulesChanged() { m_countedAt.reset(); }
    // "queue shop-errors of shop"
    [[nodiscard]] core::Result<QString> wordsFor(store::Session &session, const recovery::Scope &scope) const;

private:
    [[nodiscard]] core::Result<> read(store::Session &session);
    [[nodiscard]] core::Result<api::AssignmentView> viewOf(store::Session &session,
                                                           const store::StoredAssignment &stored, bool isPaused);
    [[nodiscard]] static api::PolicyView viewOf(const store::StoredPolicy &stored);
    [[nodiscard]] QString connectionName(core::ConnectionId id) const;

    const ConnectionContext &m_context;
    const ConnectionService &m_connections;
    PolicyScheduler &m_scheduler;
    QList<api::PolicyView> m_views;
    qint64 m_change = -1;
    quint64 m_revision = 0;
    bool m_isAllPaused = false;
    std::optional<core::TimePoint> m_next; // when the next message is due, paused or not
    std::optional<core::SteadyTime> m_countedAt;
};

} // namespace engine
