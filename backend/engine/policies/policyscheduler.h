#pragma once

#include "backend/core/timers.h"
#include "backend/engine/connectionservice.h"
#include "backend/engine/policies/policyfollower.h"
#include "backend/engine/retryservice.h"

#include <QSet>

namespace engine {

// Runs the recovery policies: follows the changes of the store, starts the retries whose time has come, and learns from
// what comes back.
//  - Each retry is an ordinary operation, so its claims keep a message out of two hands, and a person's retry wins.
//  - Of one assignment and one connection, one operation runs at a time. Messages that become due meanwhile go together
//    in the next one.
//  - A retry failed when its message comes back. It succeeded when its message is resolved, or when none came back for the
//    quiet period of its operation while the error queues were watched (records::FailureLatency). An operation of which
//    this is known is settled.
//  - All state is in the store (PolicyStore). Waiting messages cost nothing: one timer waits for the next due one.
// Engine thread.
class PolicyScheduler final
{
public:
    PolicyScheduler(ConnectionContext surroundings, ConnectionService &connections, RetryService &retries);

    // Runs until stop(), in the engine's command scope. Only an engine of a program that stays retries by itself
    // (api::Starter); otherwise it returns at once.
    [[nodiscard]] core::Task<> run();
    void stop() { m_timers.cancelAll(); }
    // Something in the store may have changed. Cheap.
    void wake();
    // Policies or assignments changed: every message meets them again.
    void rulesChanged();
    // A person takes messages out of their policy, or returns them. Answers how many changed.
    [[nodiscard]] core::Result<qint64> exclude(const QList<core::MessageId> &messages, bool exclude,
                                               const QString &who);

    // Why the due messages of an assignment are not retried now; empty: they are.
    [[nodiscard]] QString waits(core::AssignmentId assignment) const { return m_waits.value(assignment).why; }

private:
    struct Wait
    {
        core::TimePoint until{};
        QString why;
    };
    using Work = std::function<core::Result<>(store::Session &)>;
    [[nodiscard]] core::Result<> decideIn(const Work &work);
    [[nodiscard]] core::Result<> loadBook();
    [[nodiscard]] core::Task<core::Result<>> round();
    [[nodiscard]] core::Task<core::Result<>> followChanges();
    [[nodiscard]] core::Result<bool> followSome();
    [[nodiscard]] core::Result<> settleOperations();
    [[nodiscard]] core::Result<> settle(const store::PolicyOperation &one, const records::RetryOperation &operation);
    [[nodiscard]] core::Result<bool> isProved(const records::RetryOperation &operation) const;
    [[nodiscard]] core::Result<> pauseOf(const store::PolicyOperation &one, const QString &why);
    [[nodiscard]] core::Task<core::Result<>> issueDue();
    [[nodiscard]] core::Task<core::Result<>> issueFor(core::AssignmentId id, recovery::HeldState state);
    [[nodiscard]] int mayIssue(const PolicyBook::Assigned &assigned);
    [[nodiscard]] core::Task<core::Result<>> issue(RetryService::PolicyOrder order);
    [[nodiscard]] core::Result<> putOff(const QList<RetryService::LeftOut> &leftOut);
    void waitUntil(core::AssignmentId id, core::TimePoint at, const QString &why);
    [[nodiscard]] core::Result<core::Milliseconds> untilNext();

    ConnectionContext m_around;
    ConnectionService &m_connections;
    RetryService &m_retries;
    core::Timers m_timers;
    PolicyBook m_book;
    PolicyFollower m_follower;
    bool m_isLoaded = false;
    bool m_hasOrphans = true;
    QSet<std::pair<core::AssignmentId, core::ConnectionId>> m_running; // an operation of it has not ended
    QSet<core::AssignmentId> m_unproved; // an operation of it is not settled
    QHash<core::AssignmentId, Wait> m_waits;
};

} // namespace engine
