#pragma once

#include "backend/engine/connectionservice.h"
#include "backend/engine/policies/policyfollower.h"

#include <QHash>
#include <QSet>

namespace engine {

// Learns what became of the retries of policies. A retry failed when its message comes back. It succeeded when its message is
// resolved, or when it stayed away for the quiet period of its operation (records::FailureLatency) and all its error queues
// were seen whole after that. An operation of which this is known, or will never be known, is settled. The quiet period is
// steady time that this process has seen pass: a restart begins it again, and setting the clock changes nothing. It begins
// when the last copy is at its destination, so of copies that the broker holds back at the end of their delays. Engine
// thread.
class PolicyOutcomes final
{
public:
    // A retry whose end cannot be seen for so long, for example because nobody consumes, is settled without a success.
    static constexpr core::Milliseconds longest = std::chrono::hours(1);

    PolicyOutcomes(ConnectionContext &surroundings, ConnectionService &connections);

    // Looks at every operation that is not settled; decisions go to the follower. Transient and other errors of the store
    // leave the rest for the next call. True: something was settled.
    using Decide = std::function<core::Result<>(const std::function<core::Result<>(store::Session &)> &work)>;
    using Pause = std::function<core::Result<>(const QString &policy, const QString &why)>;
    [[nodiscard]] core::Result<bool> settle(PolicyFollower &follower, const Decide &decide, const Pause &pause);

    // The operation of this assignment and connection that has not ended; invalid: there is none.
    [[nodiscard]] core::OperationId running(core::AssignmentId assignment, core::ConnectionId connection) const;
    void begun(core::AssignmentId assignment, core::ConnectionId connection, core::OperationId operation);
    // Some operation of this assignment is not settled, although all its copies were delivered.
    [[nodiscard]] bool isUnproved(core::AssignmentId assignment) const { return m_unproved.contains(assignment); }
    [[nodiscard]] bool hasUnproved() const { return !m_unproved.isEmpty(); }

private:
    enum class Proof { None, Success, Unknown };
    [[nodiscard]] core::Result<> tellStops(const store::PolicyOperation &one, const records::RetryOperation &operation,
                                           const Pause &pause) const;
    [[nodiscard]] core::Result<bool> settleOne(const store::PolicyOperation &one,
                                               const records::RetryOperation &operation, PolicyFollower &follower,
                                               const Decide &decide);
    // The broker still holds copies of it back.
    [[nodiscard]] bool isHeldBack(const store::PolicyOperation &one) const;
    [[nodiscard]] core::Result<Proof> proofOf(const store::PolicyOperation &one,
                                              const records::RetryOperation &operation);

    ConnectionContext &m_around;
    ConnectionService &m_connections;
    QHash<std::pair<core::AssignmentId, core::ConnectionId>, core::OperationId> m_running;
    QSet<core::AssignmentId> m_unproved;
    QHash<core::OperationId, core::SteadyTime> m_ended; // since when it is known to have ended
};

} // namespace engine
