#pragma once

#include "backend/core/timers.h"
#include "backend/records/connection.h"
#include "backend/recovery/backoff.h"
#include "backend/retry/attempt.h"
#include "backend/retry/forwarding/sendwindow.h"
#include "backend/retry/gates/backpressuregate.h"
#include "backend/retry/gates/destinationcircuitbreaker.h"
#include "backend/retry/gates/rampgate.h"
#include "backend/retry/gates/ratelimiter.h"
#include "backend/retry/processordependencies.h"
#include "backend/retry/statechange.h"
#include "backend/store/retryrecords.h"

#include <QHash>
#include <QSet>

#include <memory>

namespace retry {

using core::Result;
using core::Task;

// Carries the retry operations of one connection from their frozen set to their outcomes: Marking Documents, Staging,
// Forwarding, Done. One object per connection and run of the engine.
//  - Thread: the engine thread only. It works by itself after start(), in two lanes: one marks and stages the next
//    batch while the other forwards the current one.
//  - Transactions: each step of store/retrystore.h (claim, nameStaging, commitStaged, recordIntents, recordOutcomes) is
//    committed before the next call to the broker depends on it.
//  - Crash: everything it must know is in the store. It may be killed at any instruction; start() is the recovery and
//    the only way to start. README.md has the table of what each step leaves.
//  - Errors of broker and store end nothing: the lane waits, with back-off and with the reason stored at the operation,
//    and tries again. The exception is StoreFailed: then both lanes end and only a new run continues.
class Processor final
{
public:
    Processor(records::Connection connection, ProcessorDependencies parts);
    // Before destruction: stop(), Broker::cancelAll(), then wait for ended().
    ~Processor();
    Processor(const Processor &) = delete;
    Processor &operator=(const Processor &) = delete;

    void start();
    // Begins no new step and ends all waits. Calls to the broker end only when the broker ends them
    // (Broker::cancelAll).
    void stop();
    [[nodiscard]] bool isRunning() const { return m_running; }
    // Sends from the intent log are without an answer. Cancelling them leaves their messages in doubt; every other call
    // may be cancelled at any time.
    [[nodiscard]] bool isSending() const { return m_sends > 0; }
    // Resolves when both lanes have ended. For one awaiter.
    [[nodiscard]] core::Pending<bool> ended() const { return m_ended; }

    // There is new work in the store, or the broker can be reached again: whatever waits checks again now. Without this
    // call it does so at the next idle tick or at the end of its back-off.
    void wake();

    // Pauses, resumes or cancels an operation, in a transaction of its own. `who`: the person. Conflict: the state of
    // the operation does not allow it. NotFound: there is no such operation.
    [[nodiscard]] Result<> change(core::OperationId operation, StateChange change, const QString &who);
    // To be called after the caller changed the state with retry::changeState and committed it.
    void stateChanged(core::OperationId operation);
    // Sets the rate from the next batch on; copies that the broker already has go at its own speed. Nothing: no limit.
    // Conflict: the operation has ended.
    [[nodiscard]] Result<> setPerMinute(core::OperationId operation, std::optional<qint64> perMinute);
    // Settles members in doubt as sent, or sends them again. Empty ordinals: all members in doubt. One transaction for
    // each limits::batchMembers members, so an error may leave a part settled. sendAgain: Conflict while the operation
    // is still being cancelled.
    [[nodiscard]] Result<> assumeSent(core::OperationId operation, QList<qint64> ordinals);
    [[nodiscard]] Result<> sendAgain(core::OperationId operation, QList<qint64> ordinals);

private:
    // One of the two lanes, with its own waits.
    struct Lane
    {
        explicit Lane(core::Clock &clock)
            : timers(clock)
        {
        }
        core::Timers timers;
        recovery::Backoff backoff;
        core::OperationId operation; // the operation it works for
        QString reason; // why it waits, for people
        // It waits for something that all operations of the connection wait for.
        [[nodiscard]] bool waitsForAll() const { return !operation.isValid() && !reason.isEmpty(); }
    };
    struct KeptOut // members that leave an attempt
    {
        QList<store::MemberReason> missing; // nothing can arrive at their destination
        QList<qint64> resting; // their destination refuses copies at the moment
        QStringList destinations; // of the resting members
        QStringList trials; // destinations that one copy of this attempt tries again
    };
    struct Resting // a batch that waits because its destinations refuse
    {
        core::OperationId operation;
        QStringList destinations;
    };
    struct Ending // of one batch, for step recordOutcomes
    {
        store::BatchEnd end;
        QList<qint64> onTrial; // refused again: they keep waiting
        QHash<QString, QString> refusing; // destination, reason
        QStringList accepting; // destinations
    };
    struct IntentLogRun // one batch that is sent from the intent log
    {
        explicit IntentLogRun(core::Clock &clock, const broker::Capabilities &capabilities)
            : window(clock, capabilities)
        {
        }
        SendWindow window;
        records::RetryBatch batch;
        records::OperationState state = records::OperationState::Running; // state of its operation at the last step
        records::OnUnknown onUnknown = records::OnUnknown::LeaveInDoubt;
        QList<store::RetryMember> unsent; // as read from the store, which has the last word
        qsizetype next = 0; // index of the first one that no step has tried
        bool dry = false; // nothing more may be sent
        bool over = false; // no call is under way and none may begin
        bool slowed = false; // it holds more than the rate of its operation allows now
        bool refusing = false; // a destination has refused since the last step
        std::optional<core::Error> trouble; // an error that ends sending; what to wait for before the next try
    };

    // processor.cpp
    Task<> run();
    Task<> stagingLane();
    Task<> forwardingLane();
    [[nodiscard]] Task<Result<>> ensureCapabilities();
    // False: the lane must end.
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
                                         const QueueObservation &observation);
    [[nodiscard]] Result<QueueObservation> observationFor(store::Session &session,
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
    [[nodiscard]] Task<> checkRefusing();

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

    // intentlog.cpp
    [[nodiscard]] Task<Result<>> forwardIntentLog(records::RetryBatch batch);
    [[nodiscard]] Task<Result<>> settleOpenIntents(records::RetryBatch batch);
    [[nodiscard]] bool maySend(const IntentLogRun &run) const;
    void giveBack(IntentLogRun &run);
    [[nodiscard]] Result<> intentStep(IntentLogRun &run);
    [[nodiscard]] Result<core::BatchId> setRefusedApart(store::Session &session, const IntentLogRun &run,
                                                        QStringList &refusing);
    [[nodiscard]] Result<Copies> writeIntents(store::Session &session, IntentLogRun &run);
    [[nodiscard]] Result<QList<qint64>> makeCopies(store::Session &session, const records::RetryOperation &operation,
                                                   IntentLogRun &run, Copies &copies);
    Task<> sendSome(std::shared_ptr<IntentLogRun> run);
    void sortOutcomes(IntentLogRun &run, const QList<broker::Outgoing> &messages,
                      const QList<broker::SendOutcome> &outcomes);
    void told(const IntentLogRun &run, const QList<store::IntentOutcome> &outcomes);
    [[nodiscard]] Task<Result<>> keepOutcomes(std::shared_ptr<IntentLogRun> run);
    [[nodiscard]] Task<Result<>> endIntentLog(std::shared_ptr<IntentLogRun> run);

    // recovery.cpp
    [[nodiscard]] Task<Result<>> recover();
    [[nodiscard]] Task<Result<>> discardFreezing();
    [[nodiscard]] Result<> adoptOrphans();
    [[nodiscard]] Task<Result<>> findVoidPlaces();

    const records::Connection m_connection;
    ProcessorDependencies m_dependencies;
    std::optional<broker::Capabilities> m_capabilities;
    Lane m_staging;
    Lane m_forwarding;
    DestinationCircuitBreaker m_breaker;
    RateLimiter m_rateLimiter;
    RampGate m_rampGate;
    BackpressureGate m_backpressure;
    QHash<core::OperationId, QString> m_heldBack; // why their next batch waits, for people
    QHash<core::OperationId, QString> m_heldTold; // the reasons as last stored
    core::Milliseconds m_untilDue{}; // until the staging lane should check again what was not due
    QHash<core::BatchId, Resting> m_resting;
    QHash<core::BatchId, qint64> m_stagedCounts; // for display
    QHash<core::OperationId, QString> m_reasons; // as stored
    QStringList m_voidPlaces; // on the broker, to be removed
    QStringList m_foundVoid; // void places of another session, found by the first check
    const core::SteadyTime m_since; // no other session has sent a request after this moment
    bool m_leftoversKnown = false;
    core::OperationId m_lastServed; // the operation served last: operations take turns
    std::optional<Task<>> m_task;
    core::Pending<bool> m_ended;
    bool m_running = false;
    bool m_stopping = false;
    int m_sends = 0; // sends from the intent log without an answer
};

} // namespace retry
