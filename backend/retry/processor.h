#pragma once

#include "backend/core/backoff.h"
#include "backend/core/timers.h"
#include "backend/records/connection.h"
#include "backend/retry/attempt.h"
#include "backend/retry/backpressuregate.h"
#include "backend/retry/destinationcircuitbreaker.h"
#include "backend/retry/processordependencies.h"
#include "backend/retry/rampgate.h"
#include "backend/retry/ratelimiter.h"
#include "backend/retry/sendwindow.h"
#include "backend/retry/statechange.h"
#include "backend/store/retryrecords.h"

#include <QHash>
#include <QSet>

#include <memory>

namespace retry {

using core::Result;
using core::Task;

// Carries the retry operations of one connection through Marking Documents, Staging, Forwarding and Done. Everything
// it knows is in the store: to stop it at any instruction costs nothing, start() is the recovery (README.md has the
// table). Two lanes: one marks and stages the next batch while the other forwards the one before. Engine thread only.
class Processor final
{
public:
    Processor(records::Connection connection, ProcessorDependencies parts);
    // Everything must have ended: stop(), Broker::cancelAll(), then wait for ended().
    ~Processor();
    Processor(const Processor &) = delete;
    Processor &operator=(const Processor &) = delete;

    void start();
    // Ends the waits of the processor; calls under way end when the broker ends them (Broker::cancelAll).
    void stop();
    [[nodiscard]] bool isRunning() const { return m_running; }
    // Messages are under way whose fate only an answer tells: to break off these calls leaves them in doubt. Every other
    // call may be broken off at any time.
    [[nodiscard]] bool isSending() const { return m_sends > 0; }
    // Resolves when the lanes have ended. One awaiter.
    [[nodiscard]] core::Pending<bool> ended() const { return m_ended; }

    // New work is in the store, or the broker is there again: whatever waits looks again now. Without it the idle tick, or
    // the end of the back-off, finds it.
    void wake();

    // Conflict when the operation is in a state that does not allow it.
    [[nodiscard]] Result<> change(core::OperationId operation, StateChange change, const QString &who);
    // The caller changed the state himself (retry::changeState), and that is on disk.
    void stateChanged(core::OperationId operation);
    // From the next batch on; what is with the broker goes as fast as that takes it. Nothing: no limit.
    [[nodiscard]] Result<> setPerMinute(core::OperationId operation, std::optional<qint64> perMinute);
    // Ordinals empty: all that are in doubt. At most limits::batchMembers at a time are settled in one transaction.
    [[nodiscard]] Result<> assumeSent(core::OperationId operation, QList<qint64> ordinals);
    [[nodiscard]] Result<> sendAgain(core::OperationId operation, QList<qint64> ordinals);

private:
    // One of the two things that go on at the same time, with its own waits.
    struct Lane
    {
        explicit Lane(core::Clock &clock)
            : timers(clock)
        {
        }
        core::Timers timers;
        core::Backoff backoff;
        core::OperationId operation; // that it works for
        QString reason; // why it waits, for people
        // What keeps every operation of the connection waiting.
        [[nodiscard]] bool waitsForAll() const { return !operation.isValid() && !reason.isEmpty(); }
    };
    struct KeptOut // of one attempt
    {
        QList<store::MemberReason> missing; // nothing can arrive there
        QList<qint64> resting; // their destination refuses at the moment
        QStringList destinations; // of those that rest
        QStringList trials; // destinations that one copy of the attempt tries again
    };
    struct Resting // a batch that waits because its destinations refuse
    {
        core::OperationId operation;
        QStringList destinations;
    };
    struct Ending // of one batch, T4
    {
        store::BatchEnd end;
        QList<qint64> onTrial; // refused again: they wait on
        QHash<QString, QString> refusing; // destination, reason
        QStringList accepting; // destinations
    };
    struct IntentLogRun // one batch that is forwarded from the ledger
    {
        explicit IntentLogRun(core::Clock &clock, const broker::Capabilities &capabilities)
            : window(clock, capabilities)
        {
        }
        SendWindow window;
        records::RetryBatch batch;
        records::OperationState state = records::OperationState::Running; // of its operation, at the last step
        records::OnUnknown onUnknown = records::OnUnknown::LeaveInDoubt;
        QList<store::RetryMember> unsent; // as read from the store, which has the last word
        qsizetype next = 0; // the first of them that no step has tried
        bool dry = false; // nothing is left that may be sent
        bool over = false; // no call is under way and none may begin
        bool slowed = false; // it holds more than its operation's rate allows by now
        bool refusing = false; // a destination has refused since the last step
        std::optional<core::Error> trouble; // nothing more is sent; what to wait for before the next try
    };

    // processor.cpp
    Task<> run();
    Task<> stagingLane();
    Task<> forwardingLane();
    [[nodiscard]] Task<Result<>> ensureCapabilities();
    // False: stop, nothing can go on.
    [[nodiscard]] Task<bool> waitAfter(core::Error error, Lane *lane);
    void say(Lane &lane, core::OperationId operation, const QString &reason);
    void serve(Lane &lane, core::OperationId operation);
    void sayToAll();
    void storeReason(core::OperationId operation);
    [[nodiscard]] Result<> finishIfEnded(store::Session &session, core::OperationId operation);
    [[nodiscard]] Result<> settle(core::OperationId operation, const QList<qint64> &ordinals, bool again);
    void report(const records::RetryBatch &batch, qint64 staged, qint64 forwarded);

    // marking.cpp
    [[nodiscard]] Result<bool> cancelSome();
    [[nodiscard]] Result<bool> markNext();
    [[nodiscard]] Result<qint64> roomFor(store::Session &session, const records::RetryOperation &operation,
                                         const QueueObservation &observe);
    [[nodiscard]] Result<QueueObservation> outlookOf(store::Session &session,
                                                     const records::RetryOperation &operation) const;
    [[nodiscard]] Result<> markStep(store::Session &session, core::OperationId id);
    [[nodiscard]] Result<QString> whyNotYet(store::Session &session, const records::RetryOperation &operation,
                                            core::BatchId batch);
    void tellHeldBack();
    [[nodiscard]] Result<> markMembers(core::BatchId batch);
    [[nodiscard]] int batchSize(const records::Plan &plan) const;
    [[nodiscard]] bool isDue(core::Milliseconds wait);
    [[nodiscard]] Result<std::optional<records::RetryBatch>> pickBatch();

    // staging.cpp
    [[nodiscard]] Task<Result<>> makeReady();
    [[nodiscard]] Task<Result<bool>> stageNext();
    [[nodiscard]] Result<Attempt> nameAttempt(records::RetryBatch batch);
    [[nodiscard]] Result<> cutToShare(store::Session &session, Attempt &attempt);
    [[nodiscard]] Task<Result<bool>> untilPointerFree(core::OperationId operation);
    [[nodiscard]] Result<> enterForwarding(const Attempt &attempt, int staged);
    [[nodiscard]] Task<> dropVoidPlaces();

    // filling.cpp
    [[nodiscard]] Task<Result<>> stageOnBroker(Attempt attempt);
    template<typename T>
    [[nodiscard]] Task<Result<T>> insist(std::function<Task<Result<T>>(broker::StagingQueue &)> ask);
    [[nodiscard]] Task<Result<int>> fillPlace(Attempt *attempt);
    [[nodiscard]] Task<Result<>> stageRound(Attempt *attempt);
    [[nodiscard]] Task<Result<>> stageCopies(Attempt *attempt, QList<broker::Outgoing> copies);
    [[nodiscard]] QList<broker::Outgoing> sortOut(Attempt &attempt, const QList<broker::Outgoing> &copies,
                                                  const QList<broker::SendOutcome> &outcomes, StageTrouble &trouble);
    [[nodiscard]] Task<Result<>> reconcile(Attempt *attempt);
    [[nodiscard]] QString failingText() const;
    void countStaged(const Attempt &attempt, qsizetype arrived);
    [[nodiscard]] Result<Copies> nextCopies(const Attempt &attempt, qsizetype *next);
    [[nodiscard]] Result<Copies> copiesOf(const Attempt &attempt, qsizetype from, qsizetype *taken);

    // resting.cpp
    [[nodiscard]] KeptOut keepOut(Attempt &attempt) const;
    [[nodiscard]] Result<core::BatchId> setApart(store::Session &session, const Attempt &attempt, const KeptOut &out);
    [[nodiscard]] bool isOutOfDate(const Attempt &attempt) const;
    void rest(core::BatchId batch, core::OperationId operation, const QStringList &destinations);
    [[nodiscard]] bool isResting(core::BatchId batch) const;
    [[nodiscard]] QList<core::BatchId> restingBatches() const;
    [[nodiscard]] QString restingReason(core::OperationId operation) const;
    [[nodiscard]] Task<> lookAtRefused();

    // copies.cpp
    [[nodiscard]] Result<> addCopy(store::Session &session, const records::RetryOperation &operation,
                                   const QString &stagingId, const store::RetryMember &member, Copies &copies);

    // forwarding.cpp
    [[nodiscard]] Result<std::optional<records::RetryBatch>> nowForwarding();
    [[nodiscard]] Task<Result<bool>> forwardNext();
    [[nodiscard]] Task<Result<>> forwardBatch(const records::RetryBatch &batch);
    [[nodiscard]] Task<Result<>> forwardOnBroker(records::RetryBatch batch);
    [[nodiscard]] Result<Ending> endOf(const records::RetryBatch &batch, const broker::ForwardReport &report);
    [[nodiscard]] Result<Ending> vanished(const records::RetryBatch &batch);
    [[nodiscard]] Result<> finish(const records::RetryBatch &batch, const Ending &ending);
    void learn(const Ending &ending);
    [[nodiscard]] Result<QList<store::RetryMember>> membersOf(core::BatchId batch);
    [[nodiscard]] Result<broker::StagingPlace> placeOf(const records::RetryBatch &batch);

    // ledger.cpp
    [[nodiscard]] Task<Result<>> forwardIntentLog(records::RetryBatch batch);
    [[nodiscard]] Task<Result<>> settleOpenIntents(records::RetryBatch batch);
    [[nodiscard]] bool maySend(const IntentLogRun &run) const;
    void giveBack(IntentLogRun &run);
    [[nodiscard]] Result<> ledgerStep(IntentLogRun &run);
    [[nodiscard]] Result<core::BatchId> setRefusedApart(store::Session &session, const IntentLogRun &run,
                                                        QStringList &refusing);
    [[nodiscard]] Result<Copies> writeIntents(store::Session &session, IntentLogRun &run);
    [[nodiscard]] Result<QList<qint64>> makeCopies(store::Session &session, const records::RetryOperation &operation,
                                                   IntentLogRun &run, Copies &copies);
    Task<> sendSome(std::shared_ptr<IntentLogRun> run);
    void judge(IntentLogRun &run, const QList<broker::Outgoing> &messages, const QList<broker::SendOutcome> &outcomes);
    void told(const IntentLogRun &run, const QList<store::IntentOutcome> &outcomes);
    [[nodiscard]] Task<Result<>> keepOutcomes(std::shared_ptr<IntentLogRun> run);
    [[nodiscard]] Task<Result<>> endIntentLog(std::shared_ptr<IntentLogRun> run);

    // recovery.cpp
    [[nodiscard]] Task<Result<>> recover();
    [[nodiscard]] Task<Result<>> discardFreezing();
    [[nodiscard]] Result<> adoptOrphans();
    [[nodiscard]] Task<Result<>> findVoidPlaces();

    const records::Connection m_connection;
    ProcessorDependencies m_parts;
    std::optional<broker::Capabilities> m_capabilities;
    Lane m_staging;
    Lane m_forwarding;
    DestinationCircuitBreaker m_breaker;
    RateLimiter m_rateLimiter;
    RampGate m_rampGate;
    BackpressureGate m_backpressure;
    QHash<core::OperationId, QString> m_heldBack; // why their next step waits, for people
    QHash<core::OperationId, QString> m_heldTold; // as told
    core::Milliseconds m_untilDue{}; // of what the last step of the staging lane left for later
    QHash<core::BatchId, Resting> m_resting;
    QHash<core::BatchId, qint64> m_stagedCounts; // for pictures
    QHash<core::OperationId, QString> m_reasons; // as stored
    QStringList m_voidPlaces; // on the broker, to be taken down
    QStringList m_foundVoid; // what the first look found of another session
    const core::SteadyTime m_since; // no other session has sent anything after that
    bool m_leftoversKnown = false;
    core::OperationId m_lastServed; // operations take turns
    std::optional<Task<>> m_task;
    core::Pending<bool> m_ended;
    bool m_running = false;
    bool m_stopping = false;
    int m_sends = 0; // calls of the ledger without an answer
};

} // namespace retry
