#pragma once

#include "backend/retry/context/processorcontext.h"
#include "backend/retry/gates/destinationcircuitbreaker.h"
#include "backend/retry/staging/attempt.h"

namespace retry {

// Refusing destinations (DestinationCircuitBreaker) and the batches that wait for them: which members of an attempt are
// kept out, which wait in a batch of their own, and which try again. Which batches rest is kept in memory only: after a
// restart each is tried once more. One object per Processor, engine thread.
class RestingBatches final
{
public:
    struct KeptOut // members that leave an attempt
    {
        QList<store::MemberReason> missing; // nothing can arrive at their destination
        QList<qint64> resting; // their destination refuses copies at the moment
        QStringList destinations; // of the resting members
        QStringList trials; // destinations that one copy of this attempt tries again
    };

    explicit RestingBatches(ProcessorContext &context);

    [[nodiscard]] DestinationCircuitBreaker &breaker() { return m_breaker; }
    [[nodiscard]] const DestinationCircuitBreaker &breaker() const { return m_breaker; }

    // Removes members from the attempt whose destination refuses at the moment, except the one trial copy.
    [[nodiscard]] KeptOut keepOut(Attempt &attempt) const;
    // Inside a transaction: the batch in which the resting members wait: a new one, or that of the attempt if nothing
    // else is left in it. Invalid: nobody rests. add() it after the commit.
    [[nodiscard]] Result<core::BatchId> setApart(store::Session &session, const Attempt &attempt, const KeptOut &out);
    // A destination of the attempt began to refuse since its members were chosen: choose again.
    [[nodiscard]] bool isOutOfDate(const Attempt &attempt) const;

    void add(core::BatchId batch, core::OperationId operation, const QStringList &destinations);
    void remove(core::BatchId batch) { m_batches.remove(batch); }
    void removeAllOf(core::OperationId operation);
    [[nodiscard]] bool isEmpty() const { return m_batches.isEmpty(); }
    // The batches of which every destination refuses now.
    [[nodiscard]] QList<core::BatchId> waiting() const;
    // Why messages of the operation wait for their destination, for people; empty: none does.
    [[nodiscard]] QString reason(core::OperationId operation) const;

    // Lists the queues of the broker: a missing destination that exists now is tried again, and a refusing one that is
    // gone is missing. If the broker does not answer, or may not list all queues, nothing changes.
    [[nodiscard]] Task<> checkDestinations();

private:
    struct Resting
    {
        core::OperationId operation;
        QStringList destinations;
    };
    [[nodiscard]] bool refusesAll(const QStringList &destinations) const;

    ProcessorContext &m_context;
    DestinationCircuitBreaker m_breaker;
    QHash<core::BatchId, Resting> m_batches;
};

} // namespace retry
