#include "backend/retry/forwarding/outcomerecorder.h"

#include "backend/store/retry/claimstore.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/retry/stagingstore.h"

namespace retry {

OutcomeRecorder::OutcomeRecorder(SharedState &shared)
    : m_context(shared.context)
    , m_gates(shared.gates)
    , m_resting(shared.resting)
    , m_reasons(shared.reasons)
    , m_finisher(shared.finisher)
    , m_stagingLane(shared.staging)
{
}

Result<> OutcomeRecorder::record(const records::RetryBatch &batch, const BatchOutcome &outcome)
{
    TRY(const Recorded recorded,
        m_context.store.transact<Recorded>([&](store::Session &session) { return finish(session, batch, outcome); }));
    m_gates.arrived(batch.id);
    // Only now: a repeated pass must not mistake a trial copy for a first refusal.
    updateBreaker(outcome);
    if (recorded.apart.isValid() && !outcome.refusing.isEmpty()) {
        m_resting.add(recorded.apart, batch.operation, outcome.refusing.keys());
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
                                                          const BatchOutcome &outcome)
{
    Recorded recorded;
    TRY(const records::RetryOperation before, session.retryOperations().load(batch.operation));
    if (!outcome.setAside.isEmpty()) {
        TRY(recorded.apart, session.staging().setAside(batch.id, outcome.setAside, m_context.session));
    }
    TRY(session.forwarding().finishForwarding(batch.id, outcome.end));
    TRY(session.evidence().sentUntil(batch.id, m_context.clock.now()));
    TRY(const records::RetryOperation after, session.retryOperations().load(batch.operation));
    recorded.sent = after.counts.sent - before.counts.sent;
    TRY(sendDoubtfulAgain(session, before, outcome.end));
    TRY(m_finisher.finishIfEnded(session, batch.operation));
    return recorded;
}

Result<> OutcomeRecorder::sendDoubtfulAgain(store::Session &session, const records::RetryOperation &operation,
                                            const store::BatchEnd &end)
{
    if (operation.plan.onUnknown != records::OnUnknown::SendAgain
        || operation.state == records::OperationState::Cancelled)
        return {};
    QList<qint64> doubtful;
    for (const store::MemberReason &member : end.inDoubt)
        doubtful.append(member.ordinal);
    if (end.possibleDuplicates) { // an earlier copy of a refused one may have arrived
        for (const store::MemberReason &member : end.ejected)
            doubtful.append(member.ordinal);
    }
    return doubtful.isEmpty() ? Result<>{} : session.claims().sendAgain(operation.id, doubtful, m_context.session);
}

void OutcomeRecorder::updateBreaker(const BatchOutcome &outcome)
{
    DestinationCircuitBreaker &breaker = m_resting.breaker();
    for (const QString &destination : outcome.accepting)
        breaker.accepted(destination);
    for (auto refusal = outcome.refusing.cbegin(); refusal != outcome.refusing.cend(); ++refusal)
        breaker.refused(refusal.key(), refusal.value(), DestinationCircuitBreaker::Cause::Refusing);
}

} // namespace retry
