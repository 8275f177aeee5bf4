#pragma once

#include "backend/core/time/timers.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/commands/pauseallservice.h"
#include "backend/engine/commands/retryservice.h"
#include "backend/engine/policies/missingqueues.h"
#include "backend/engine/policies/policyoutcomes.h"
#include "backend/store/policies/heldmessagestore.h"

#include <QSet>

namespace engine {

// Runs the recovery policies: follows the changes of the store, starts the retries whose time has come, and learns from
// what comes back (PolicyOutcomes).
//  - Each retry is an ordinary operation, so its claims keep a message out of two hands, and a person's retry wins.
//  - Of one assignment and one connection, one operation runs at a time. Messages that become due meanwhile go together
//    in the next one. An operation that sends nothing does not keep them waiting (PolicyOutcomes::obstacle).
//  - A delayed retry whose policy waits at the broker (recovery::WaitAt) is issued at once, with the time at which the
//    broker delivers it, if the broker can hold it back so long. Otherwise the store waits.
//  - Messages whose queue does not exist are held back together (MissingQueues).
//  - When the clock was set back, no message waits longer than its policy says.
//  - All state is in the store (PolicyStore, HeldMessageStore). Waiting messages cost nothing: one timer waits for the next due one.
// Engine thread.
class PolicyScheduler final
{
public:
    PolicyScheduler(ConnectionContext context, ConnectionService &connections, RetryService &retries,
                    const PauseAllService &pausing);

    // Runs until stop(), in the engine's command scope. Only an engine of a program that stays retries by itself
    // (api::Starter); otherwise it returns at once.
    [[nodiscard]] core::Task<> run();
    void stop() { m_timers.cancelAll(); }
    // Something in the store may have changed. Cheap.
    void wake();
    // Policies or assignments changed: every message meets them again.
    void rulesChanged();
    // A person takes messages out of their policy, or returns them. In slices: after an error or a crash some changed and
    // others not, and the same call completes it. `*changed` counts them.
    [[nodiscard]] core::Task<core::Result<>> exclude(QList<core::MessageId> messages, bool exclude, QString who,
                                                     qint64 *changed);

    // Why messages of an assignment are not retried now although their time has come, and the operation that they wait
    // for, if any. Without a reason: they are. `isDue`: some are due; otherwise only queues that do not exist count.
    [[nodiscard]] PolicyOutcomes::Obstacle waits(core::AssignmentId assignment, bool isDue = true) const;
    [[nodiscard]] bool isAllPaused() const { return m_pausing.isAllPaused(); }
    // Grows with everything that views of the policies show. Whoever shows it says how far (shown), and is told once
    // more if that was not all.
    [[nodiscard]] quint64 revision() const { return m_revision; }
    void shown(quint64 revision) { m_shown = revision; }

private:
    static constexpr core::Milliseconds proofTick{2000}; // how often retries are looked at that are not settled
    static constexpr core::Milliseconds troublePause{10000}; // the connection does not answer, or does not allow it
    using Lane = store::PolicyLane;
    struct Wait
    {
        core::SteadyTime until{};
        PolicyOutcomes::Obstacle why;
    };
    using Work = std::function<core::Result<>(store::Session &)>;
    [[nodiscard]] core::Result<> decideIn(const Work &work);
    [[nodiscard]] core::Result<> loadBook();
    [[nodiscard]] core::Result<> pause(const QString &policy, const QString &why);
    void changed();
    void askForView();
    void tellTrouble(const core::Result<> &done);

    [[nodiscard]] core::Task<core::Result<>> round();
    [[nodiscard]] core::Task<core::Result<>> followChanges();
    [[nodiscard]] core::Result<bool> followSome();
    [[nodiscard]] core::Result<> followAll(const QList<store::PolicyCandidate> &all, std::optional<qint64> until);
    [[nodiscard]] core::Task<core::Result<>> detachOrphans();
    [[nodiscard]] core::Task<core::Result<>> findLetGo();

    [[nodiscard]] bool wasSetBack();
    [[nodiscard]] core::Result<> capNextAttempts();
    [[nodiscard]] core::Task<core::Result<>> issueDue();
    [[nodiscard]] std::vector<Lane> lanes() const;
    [[nodiscard]] core::Task<core::Result<>> releaseHeld(std::vector<Lane> lanes);
    [[nodiscard]] core::Task<core::Result<>> issueFor(Lane lane);
    [[nodiscard]] int mayIssue(const Lane &lane);
    [[nodiscard]] int mayProbe(const Lane &lane);
    struct Unseen // of due messages whose retries may come back unseen
    {
        QSet<core::MessageId> leftOut;
        std::optional<UnseenReturns::Verdict> waiting; // the shortest wait of a group
        std::optional<UnseenReturns::Verdict> loop;
    };
    [[nodiscard]] core::Result<Unseen> judgeUnseen(const Lane &lane, const QList<core::MessageId> &due);
    [[nodiscard]] core::Result<> leaveOutUnseen(const Lane &lane, QList<recovery::HeldMessage> &due);
    [[nodiscard]] core::Result<> pauseLoop(const Lane &lane, const UnseenReturns::Verdict &loop);
    // Without messages. `hasNoWayBack`: of messages that cannot be put back into their queue.
    [[nodiscard]] RetryService::PolicyOrder orderOf(const Lane &lane, bool hasNoWayBack = false) const;
    [[nodiscard]] core::Result<> findWaysBack(const Lane &lane, RetryService::PolicyOrder &order);
    [[nodiscard]] core::Task<core::Result<>> issue(Lane lane, RetryService::PolicyOrder order);
    void addMessages(RetryService::PolicyOrder &order, const QList<recovery::HeldMessage> &due) const;
    [[nodiscard]] core::Milliseconds longestDelay(core::ConnectionId connection, const QString &destination) const;
    [[nodiscard]] core::Result<> waitInStore(const QList<core::MessageId> &messages);
    [[nodiscard]] core::Result<> putOff(const QList<RetryService::LeftOutMessage> &leftOut);
    void wait(const Lane &lane, core::Milliseconds delay, const PolicyOutcomes::Obstacle &why);
    [[nodiscard]] core::Result<core::Milliseconds> untilNext();

    ConnectionContext m_context;
    ConnectionService &m_connections;
    RetryService &m_retries;
    const PauseAllService &m_pausing;
    core::Timers m_timers;
    PolicyBook m_book;
    PolicyFollower m_follower;
    PolicyOutcomes m_outcomes;
    bool m_isLoaded = false;
    bool m_hasOrphans = true;
    QString m_trouble; // why the last round failed; empty: it did not
    std::optional<core::SteadyTime> m_sought; // messages that were let go
    bool m_isReleased = false; // what an earlier run held back
    std::optional<core::Milliseconds> m_lead; // of the wall clock over the steady one
    std::map<Lane, Wait> m_waits;
    MissingQueues m_missing;
    quint64 m_revision = 1;
    quint64 m_shown = 0;
    quint64 m_asked = 0;
    core::SteadyTime m_changedAt{};
};

} // namespace engine
