#pragma once

#include "backend/retry/processordependencies.h"
#include "backend/store/retryrecords.h"

#include <QHash>

namespace retry {

// How many more messages of an operation may go. One with a ramp goes on to its next step when there is evidence for what is
// out: all of it is known to be processed; or nothing has come back for the quiet time that was frozen with the set
// (records::FailureLatency), the destinations have consumers, and no more waits there than before the step. A guarded operation goes nowhere while what comes
// back is not seen. Since when it is quiet is kept in memory alone: a restart begins to wait anew, and while the machine sleeps
// nobody watches. Engine thread.
class RampGate final
{
public:
    static constexpr core::Milliseconds lookAgain{5000}; // the queues are listed no more often than that

    explicit RampGate(const core::Clock &clock)
        : m_clock(clock)
    {
    }

    struct Room
    {
        qint64 members = 0; // that may go now
        core::Milliseconds wait{}; // until it is worth asking again, where none may
        QString why; // none may, for people
    };
    // Why nothing goes while returns are not seen.
    [[nodiscard]] static QString blindText(const QString &why);
    // Inside a transaction: a step that has its evidence is noted.
    [[nodiscard]] Result<Room> roomFor(store::Session &session, const records::RetryOperation &operation,
                                       const QueueObservation &observe);
    // Inside the transaction that made the batch, before anything of it goes: what waits at its destinations.
    [[nodiscard]] Result<> keepDepths(store::Session &session, const records::RetryBatch &batch,
                                      const QueueObservation &observe);
    // Inside the transaction that made a batch: where a step begins with it, that is marked.
    [[nodiscard]] Result<> markStep(store::Session &session, const records::RetryOperation &operation);
    void forget(core::OperationId operation) { m_out.remove(operation); }

private:
    struct Out // a step all of whose messages went
    {
        int step = 0;
        core::SteadyTime quietSince{};
        qint64 cameBack = 0;
    };
    [[nodiscard]] Room proof(const records::RetryOperation &operation, const store::StepState &state,
                             const records::QuietPeriod &quietPeriod, const QueueObservation &observe);

    const core::Clock &m_clock;
    QHash<core::OperationId, Out> m_out;
};

} // namespace retry
