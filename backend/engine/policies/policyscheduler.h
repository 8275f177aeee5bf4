#pragma once

#include "backend/core/timers.h"
#include "backend/engine/connectionservice.h"
#include "backend/engine/policies/policyoutcomes.h"
#include "backend/engine/retryservice.h"

namespace engine {

// Runs the recovery policies: follows the changes of the store, starts the retries whose time has come, and learns from
// what comes back (PolicyOutcomes).
//  - Each retry is an ordinary operation, so its claims keep a message out of two hands, and a person's retry wins.
//  - Of one assignment and one connection, one operation runs at a time. Messages that become due meanwhile go together
//    in the next one.
//  - A delayed retry whose policy waits at the broker (recovery::WaitAt) is issued at once, with the time at which the
//    broker delivers it, if the broker can hold it back so long. Otherwise the store waits.
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

    // Why due messages of an assignment are not retried now; empty: they are.
    [[nodiscard]] QString waits(core::AssignmentId assignment) const;
    // Grows with everything that views of the policies show. Whoever shows it says how far (shown), and is told once
    // more if that was not all.
    [[nodiscard]] quint64 revision() const { return m_revision; }
    void shown(quint64 revision) { m_shown = revision; }

private:
    using Place = std::pair<core::AssignmentId, core::ConnectionId>;
    struct Wait
    {
        core::SteadyTime until{};
        QString why;
    };
    using Work = std::function<core::Result<>(store::Session &)>;
    [[nodiscard]] core::Result<> decideIn(const Work &work);
    [[nodiscard]] core::Result<> loadBook();
    [[nodiscard]] core::Result<> pause(const QString &policy, const QString &why);
    void changed();
    void askForView();

    [[nodiscard]] core::Task<core::Result<>> round();
    [[nodiscard]] core::Task<core::Result<>> followChanges();
    [[nodiscard]] core::Result<bool> followSome();
    [[nodiscard]] core::Task<core::Result<>> forgetOrphans();
    [[nodiscard]] core::Task<core::Result<>> findLetGo();

    [[nodiscard]] core::Task<core::Result<>> issueDue();
    [[nodiscard]] core::Task<core::Result<>> issueFor(Place place, recovery::HeldState state);
    [[nodiscard]] int mayIssue(Place place);
    [[nodiscard]] core::Result<RetryService::PolicyOrder> orderOf(Place place, recovery::HeldState state, int most);
    [[nodiscard]] core::Task<core::Result<>> issue(RetryService::PolicyOrder order);
    [[nodiscard]] core::Milliseconds longestDelay(core::ConnectionId connection, const QString &destination) const;
    [[nodiscard]] core::Result<> waitInStore(const QList<core::MessageId> &messages);
    [[nodiscard]] core::Result<> putOff(const QList<RetryService::LeftOut> &leftOut);
    void wait(Place place, core::Milliseconds delay, const QString &why);
    [[nodiscard]] core::Result<core::Milliseconds> untilNext();

    ConnectionContext m_around;
    ConnectionService &m_connections;
    RetryService &m_retries;
    core::Timers m_timers;
    PolicyBook m_book;
    PolicyFollower m_follower;
    PolicyOutcomes m_outcomes;
    bool m_isLoaded = false;
    bool m_hasOrphans = true;
    std::optional<core::SteadyTime> m_sought; // messages that were let go
    QHash<Place, Wait> m_waits;
    quint64 m_revision = 1;
    quint64 m_shown = 0;
    quint64 m_asked = 0;
    core::SteadyTime m_changedAt{};
};

} // namespace engine
