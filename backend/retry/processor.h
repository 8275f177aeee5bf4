#pragma once

#include "backend/retry/context/sharedstate.h"
#include "backend/retry/forwarding/forwarding.h"
#include "backend/retry/recovery.h"
#include "backend/retry/staging/staging.h"
#include "backend/retry/statechange.h"

namespace retry {

// Carries the retry operations of one connection from their frozen set to their outcomes: Marking Documents, Staging,
// Forwarding, Done. One object per connection and run of the engine.
//  - Thread: the engine thread only. It works by itself after start(), in two lanes: one marks and stages the next
//    batch (Staging) while the other forwards the current one (Forwarding).
//  - Transactions: each step of store/session.h (claim, nameStaging, commitStaged, recordIntents, recordOutcomes) is
//    committed before the next call to the broker depends on it.
//  - Crash: everything it must know is in the store. It may be killed at any instruction; start() is the recovery and
//    the only way to start. README.md has the table of what each step leaves.
//  - Errors of broker and store end nothing: the lane waits, with back-off and with the reason stored at the operation,
//    and tries again. The exception is StoreFailed: then both lanes end and only a new run continues.
class Processor final
{
public:
    Processor(records::Connection connection, ProcessorDependencies dependencies);
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
    [[nodiscard]] bool isSending() const { return m_forwarding.isSending(); }
    // A staging queue that nobody needs any more is being removed. Cancelling that leaves it on the broker until the next start.
    [[nodiscard]] bool isTidying() const { return m_forwarding.endsBatch() || m_shared.voidQueues.isRemoving(); }
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
    using LaneStep = std::function<Task<Result<bool>>()>; // true: there was something to do
    using LanePause =
        std::function<std::optional<core::Milliseconds>(bool worked)>; // nothing: begin the next step at once

    Task<> run();
    Task<> runLane(Lane &lane, const LaneStep &step, const LanePause &pause);
    Task<> stagingLane();
    Task<> forwardingLane();
    [[nodiscard]] Result<> settle(core::OperationId operation, const QList<qint64> &ordinals, bool again);

    SharedState m_shared;
    Marking m_marking;
    Recovery m_recovery;
    Staging m_staging;
    Forwarding m_forwarding;
    std::optional<Task<>> m_task;
    core::Pending<bool> m_ended;
    bool m_running = false;
};

} // namespace retry
