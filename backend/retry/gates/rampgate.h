#pragma once

#include "backend/retry/processordependencies.h"
#include "backend/store/retry/retryrecords.h"

#include <QHash>

namespace retry {

// Decides how many more messages of an operation may be sent.
//  - With a ramp, the next step starts when the current step has its evidence: all of its messages are known to be
//    processed; or no message has come back for the quiet period frozen with the set (records::FailureLatency), every
//    destination has consumers, and none holds more messages than before the step.
//  - A guarded operation sends nothing while returning messages cannot be seen.
// The beginning of the quiet period is kept in memory only: a restart begins it again, and time in which the machine
// sleeps does not count. Engine thread.
class RampGate final
{
public:
    static constexpr core::Milliseconds checkAgain{5000}; // the queues are listed at most this often

    explicit RampGate(const core::Clock &clock)
        : m_clock(clock)
    {
    }

    struct Room
    {
        qint64 members = 0; // that may be sent now
        core::Milliseconds wait{}; // if none may be sent: when to ask again
        QString why; // why none may be sent, for people
    };
    // The sentence that says why nothing is sent while returns cannot be seen.
    [[nodiscard]] static QString blindText(const QString &why);
    // Inside a transaction. Stores that a step is proved when it has its evidence.
    [[nodiscard]] Result<Room> roomFor(store::Session &session, const records::RetryOperation &operation,
                                       const QueueObservation &observation);
    // Inside the transaction that added the batch, before any of it is sent: stores the message counts of its
    // destinations.
    [[nodiscard]] Result<> keepDepths(store::Session &session, const records::RetryBatch &batch,
                                      const QueueObservation &observation);
    // Inside the transaction that added a batch: marks the beginning of a step for the chart.
    [[nodiscard]] Result<> markStep(store::Session &session, const records::RetryOperation &operation);
    void forget(core::OperationId operation) { m_out.remove(operation); }

private:
    struct Out // a step whose messages were all sent
    {
        int step = 0;
        core::SteadyTime quietSince{};
        qint64 cameBack = 0;
    };
    [[nodiscard]] Room proof(const records::RetryOperation &operation, const store::StepState &state,
                             const records::QuietPeriod &quietPeriod, const QueueObservation &observation);

    const core::Clock &m_clock;
    QHash<core::OperationId, Out> m_out;
};

} // namespace retry
