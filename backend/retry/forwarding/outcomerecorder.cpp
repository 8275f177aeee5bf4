#include "backend/retry/forwarding/outcomerecorder.h"

#include "backend/store/retry/claimstore.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/retry/stagingstore.h"

namespace retry {

using records::SendEnd;

static QList<qint64> whoEnded(SendEnd so, const BatchEnd &end)
{
    QList<qint64> ordinals;
    for (const store::SendResult &member : end.members) {
        if (member.end == so)
            ordinals.append(member.ordinal);
    }
    return ordinals;
}

OutcomeRecorder::OutcomeRecorder(SharedState &shared)
    : m_context(shared.context)
    , m_gates(shared.gates)
    , m_resting(shared.resting)
    , m_reasons(shared.reasons)
    , m_finisher(shared.finisher)
    , m_stagingLane(shared.staging)
{
}

Result<> OutcomeRecorder::record(const records::RetryBatch &batch, const BatchEnd &end)
{
    TRY(const Recorded recorded,
        m_context.store.transact<Recorded>([&](store::Session &session) { return finish(session, batch, end); }));
    m_gates.arrived(batch.id);
    // Only now: a repeated pass must not mistake a trial copy for a first refusal.
    updateBreaker(end);
    if (recorded.apart.isValid() && !end.refusing.isEmpty()) {
        m_resting.add(recorded.apart, batch.operation, end.refusing.keys());
        m_reasons.store(batch.operation);
    }
    m_context.progress.batchMoved(BatchProgress{batch.id, batch.operation, batch.stagedCount, batch.stagedCount});
    if (recorded.sent > 0)
        m_context.progress.sent(batch.operation, recorded.sent);
    m_context.progress.operationChanged(batch.operation);
    m_stagingLane.timers().wake();
    return {};
}

Result<OutcomeRecorder::Recorded> OutcomeRecorder::finish(store::Session &session, const records::RetryBatch &batch,
                                                          const BatchEnd &end)
{
    Recorded recorded;
    TRY(const records::RetryOperation before, session.retryOperations().load(batch.operation));
    const QList<qint64> unsent = whoEnded(SendEnd::NotAccepted, end);
    if (!unsent.isEmpty()) {
        TRY(recorded.apart, session.staging().setAside(batch.id, unsent, m_context.session));
    }
    QList<store::SendResult> ends = end.members;
    ends.removeIf([](const store::SendResult &one) { return one.end == SendEnd::NotAccepted; }); // those left were seen
    TRY(session.forwarding().finishForwarding(batch.id, ends, end.isInterrupted));
    TRY(session.evidence().sentUntil(batch.id, m_context.clock.now()));
    TRY(const records::RetryOperation after, session.retryOperations().load(batch.operation));
    recorded.sent = after.counts.sent - before.counts.sent;
    TRY(sendDoubtfulAgain(session, before, end));
    TRY(m_finisher.finishIfEnded(session, batch.operation));
    return recorded;
}

Result<> OutcomeRecorder::sendDoubtfulAgain(store::Session &session, const records::RetryOperation &operation,
                                            const BatchEnd &end)
{
    if (operation.plan.onUnknown != records::OnUnknown::SendAgain
        || operation.state == records::OperationState::Cancelled)
        return {};
    QList<qint64> doubtful = whoEnded(SendEnd::Unanswered, end);
    if (end.isInterrupted) // an earlier copy of a refused one may have arrived
        doubtful += whoEnded(SendEnd::Ejected, end);
    return doubtful.isEmpty() ? Result<>{} : session.claims().sendAgain(operation.id, doubtful, m_context.session);
}

void OutcomeRecorder::updateBreaker(const BatchEnd &end)
{
    DestinationCircuitBreaker &breaker = m_resting.breaker();
    for (const QString &destination : end.accepting)
        breaker.accepted(destination);
    for (auto refusal = end.refusing.cbegin(); refusal != end.refusing.cend(); ++refusal)
        breaker.refused(refusal.key(), refusal.value(), DestinationCircuitBreaker::Cause::Refusing);
}

} // namespace retry
