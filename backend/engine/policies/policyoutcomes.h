#pragma once

#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/policies/policyfollower.h"

#include <QHash>
#include <QSet>

#include <map>
#include <optional>

namespace engine {

// It sends what a policy has given up to where the policy says, so it is no evidence about the consumers.
[[nodiscard]] bool isEnding(const records::RetryOperation &operation);

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
    // An operation that sends nothing for so long, for example because one destination is full, no longer keeps other
    // messages waiting, until there are so many of them.
    static constexpr core::Milliseconds stuckAfter = std::chrono::seconds(30);
    static constexpr int mostStuck = 4;

    PolicyOutcomes(ConnectionContext &context, ConnectionService &connections);

    // Looks at every operation that is not settled; decisions go to the follower. Transient and other errors of the store
    // leave the rest for the next call. True: something was settled.
    using Decide = std::function<core::Result<>(const std::function<core::Result<>(store::Session &)> &work)>;
    using Pause = std::function<core::Result<>(const QString &policy, const QString &why)>;
    [[nodiscard]] core::Result<bool> settle(PolicyFollower &follower, const Decide &decide, const Pause &pause);

    // What has to go on or to end before another operation of this assignment may start on this connection: a paused
    // operation, one that makes progress, or the oldest of mostStuck that make none. Nothing: one may start.
    struct Obstacle
    {
        core::OperationId operation;
        QString why; // for people
    };
    [[nodiscard]] std::optional<Obstacle> obstacle(core::AssignmentId assignment, core::ConnectionId connection) const;
    // The oldest operation that makes no progress, and why; nothing: each of them makes some.
    [[nodiscard]] std::optional<Obstacle> stuck(core::AssignmentId assignment) const;
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

    ConnectionContext &m_context;
    ConnectionService &m_connections;
    struct Running
    {
        core::OperationId id;
        QString pause; // by whom or what; empty: it is not paused
        QString waits; // why it has sent nothing for stuckAfter; empty: it makes progress
    };
    [[nodiscard]] Running runningOf(const records::RetryOperation &operation);
    [[nodiscard]] static Obstacle obstacleOf(const Running &one);
    [[nodiscard]] core::Result<> followUnsent(store::Session &session, const records::RetryOperation &operation,
                                              PolicyFollower &follower) const;

    using Place = std::pair<core::AssignmentId, core::ConnectionId>;
    std::map<Place, QList<Running>> m_running; // oldest first
    struct Silence // it has sent nothing more
    {
        core::SteadyTime since{};
        qint64 ended = -1; // members
        QString why; // as it said last: it says nothing while it tries one copy
    };
    QHash<core::OperationId, Silence> m_silent;
    QSet<core::AssignmentId> m_unproved;
    QHash<core::OperationId, core::SteadyTime> m_ended; // since when it is known to have ended
};

} // namespace engine
