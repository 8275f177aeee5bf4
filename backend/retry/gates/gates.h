#pragma once

#include "backend/retry/context/processorcontext.h"
#include "backend/retry/gates/backpressuregate.h"
#include "backend/retry/gates/brokerpace.h"
#include "backend/retry/gates/rampgate.h"
#include "backend/retry/gates/ratelimiter.h"
#include "backend/retry/staging/attempt.h"

#include <QMap>

namespace retry {

// How many messages of an operation may go now, and if none may: why, and until when. Asks the start time and the rate
// (RateLimiter), the share of the broker's time (BrokerPace), the ramp and whether messages that come back are seen (RampGate),
// and the message counts of the destinations (BackpressureGate). What is unknown about queues is no reason to wait.
// One object per Processor, in memory only: its gates say what a restart forgets. Engine thread.
class Gates final
{
public:
    // How many members may be marked now, and what was known about the queues when that was decided.
    struct Room
    {
        qint64 members = 0;
        QueueObservation observation{};
    };

    explicit Gates(const ProcessorContext &context);

    // Begins a round of questions, after which askAgainIn() says when the next round is worth it: when the first gate
    // that refused in this round may have changed its mind, and after the idle tick at the latest.
    void beginRound();
    [[nodiscard]] core::Milliseconds askAgainIn() const { return m_askAgainIn; }

    // Inside a transaction: stores that a step of the ramp is proved when it has its evidence.
    [[nodiscard]] Result<Room> roomToMark(store::Session &session, const records::RetryOperation &operation);
    // Inside the transaction that added the batch: stores what the ramp compares with later.
    [[nodiscard]] Result<> batchAdded(store::Session &session, const records::RetryBatch &batch, const Room &room);
    // Whether a marked batch of the operation may be staged now. Reads only.
    [[nodiscard]] Result<bool> mayStage(store::Session &session, const records::RetryOperation &operation,
                                        core::BatchId batch);
    // A batch of the operation is staged now.
    void begun(const records::RetryOperation &operation);
    // A person holds the operation: what it used of the broker's time until now keeps it no longer.
    void held(core::OperationId operation) { m_brokerPace.forget(operation); }
    // The batches that mayStage() refused because none of their destinations has room; the others of the operation need
    // not wait behind them. Kept in memory only: a restart asks about each one again.
    [[nodiscard]] QList<core::BatchId> waitingForRoom(core::OperationId operation) const;
    // Asks again about these batches. Reads only.
    [[nodiscard]] Result<> lookForRoom(store::Session &session, const records::RetryOperation &operation);
    // So many batches were found to wait for room that others can be marked now.
    void askAgainAtOnce() { m_askAgainIn = core::Milliseconds{0}; }
    // The members of a batch that must wait for room at their destination, because it would drop messages otherwise.
    [[nodiscard]] Result<QList<qint64>> beyondRoom(store::Session &session, const records::RetryOperation &operation,
                                                   const QList<store::RetryMember> &members);
    // Step commitStaged is on the disk. `staged`: how many of these members have a copy.
    // With a staging queue, the copies are on their way until arrived().
    void handedOver(const records::RetryOperation &operation, const Attempt &attempt, int staged);
    // Step recordOutcomes is on the disk: whatever of the batch was sent is at its destinations.
    void arrived(core::BatchId batch) { m_backpressure.arrived(batch); }
    // Measures how much the broker has to do, if an operation waits for that and the last measurement is old enough.
    [[nodiscard]] Task<> measureBroker();
    // The operation has ended.
    void forget(core::OperationId operation);

    // Why the next batch of the operation waits, for people; empty: no gate says so.
    [[nodiscard]] QString reason(core::OperationId operation) const { return m_reasons.value(operation); }
    void clearReason(core::OperationId operation) { m_reasons.remove(operation); }
    // The operations whose reason changed since the last call.
    [[nodiscard]] QList<core::OperationId> takeChangedReasons();

private:
    [[nodiscard]] bool isDue(core::Milliseconds wait);
    void hold(core::OperationId operation, const QString &why);
    [[nodiscard]] Result<QueueObservation> observe(store::Session &session,
                                                   const records::RetryOperation &operation) const;
    [[nodiscard]] Result<QString> objection(store::Session &session, const records::RetryOperation &operation,
                                            core::BatchId batch);
    [[nodiscard]] bool isShared(const records::RetryOperation &operation) const; // keeps to a share of the broker's time
    [[nodiscard]] Result<bool> isBrokerFree(store::Session &session, const records::RetryOperation &operation);

    const ProcessorContext &m_context;
    broker::BrokerLoad
        *const m_load; // null: the broker does not say how much it has to do, and no plan has a share of it
    RateLimiter m_rate;
    BrokerPace m_brokerPace;
    RampGate m_ramp;
    BackpressureGate m_backpressure;
    core::Milliseconds m_askAgainIn{};
    // By operation and batch: the copies by destination of what waits for room.
    QHash<core::OperationId, QMap<core::BatchId, QHash<QString, int>>> m_waiting;
    QHash<core::OperationId, QString> m_reasons;
    QHash<core::OperationId, QString> m_takenReasons; // as they were at the last takeChangedReasons()
};

} // namespace retry
