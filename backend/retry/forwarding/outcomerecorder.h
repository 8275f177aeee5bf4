#pragma once

#include "backend/retry/context/sharedstate.h"

namespace retry {

// What is known of a batch when it ends.
struct BatchEnd
{
    // The others were accepted. NotAccepted: certainly not sent, and waits in a batch of its own: there was no way to its
    // destination, or it was the trial copy for one that refused again.
    QList<store::SendResult> members;
    bool isInterrupted = false; // as ForwardingStore::finishForwarding
    QHash<QString, QString> refusing; // destination, reason
    QStringList accepting; // destinations
};

// Step recordOutcomes at the end of a batch: its members have their outcomes, the batch is Done, the pointer is free.
// Then the circuit breaker learns which destinations refuse, and the staging lane is woken. Engine thread.
class OutcomeRecorder final
{
public:
    explicit OutcomeRecorder(SharedState &shared);

    // One transaction. If the plan says so, it also moves members in doubt into a batch of their own, to be sent again.
    [[nodiscard]] Result<> record(const records::RetryBatch &batch, const BatchEnd &end);

private:
    struct Recorded
    {
        core::BatchId apart; // where members that were set aside wait; invalid: there are none
        qint64 sent = 0;
    };
    [[nodiscard]] Result<Recorded> finish(store::Session &session, const records::RetryBatch &batch,
                                          const BatchEnd &end);
    [[nodiscard]] Result<> sendDoubtfulAgain(store::Session &session, const records::RetryOperation &operation,
                                             const BatchEnd &end);
    void updateBreaker(const BatchEnd &end);

    ProcessorContext &m_context;
    Gates &m_gates;
    RestingBatches &m_resting;
    WaitingReasons &m_reasons;
    OperationFinisher &m_finisher;
    Lane &m_stagingLane;
};

} // namespace retry
