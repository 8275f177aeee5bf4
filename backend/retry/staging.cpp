// Staging: the steps nameStaging and commitStaged. How a staging queue is filled between them is in filling.cpp.
#include "backend/core/limits.h"
#include "backend/retry/processor.h"
#include "backend/store/evidencestore.h"
#include "backend/store/retrystore.h"

namespace retry {

using core::fail;
using records::OperationState;

namespace {

bool isHeld(OperationState state)
{
    return state == OperationState::Paused || state == OperationState::Cancelled;
}

} // namespace

// What must be known about the broker before anything is staged there.
Task<Result<>> Processor::makeReady()
{
    CO_TRY(co_await m_shared.context.ensureCapabilities());
    const Result<> found = co_await m_shared.voidQueues.findLeftovers();
    co_return found;
}

// One step of the staging lane. False: nothing to do.
Task<Result<bool>> Processor::stageNext()
{
    m_shared.gates.beginRound();
    const Result<> able = co_await makeReady();
    if (!able) {
        m_shared.staging.workFor({}); // every operation waits for this, not only the one served last
        co_return fail(able.error());
    }
    if (m_shared.staging.waitsForAll())
        m_shared.staging.setReason({});
    co_await m_shared.voidQueues.removeAll();
    if (!m_shared.context.capabilities)
        co_return true; // the other lane was refused meanwhile: probe again
    const Result<bool> cancelled = m_shared.finisher.cancelSlice();
    if (!cancelled || *cancelled)
        co_return cancelled;
    // also of this session, if a transaction failed in the middle of step claim
    CO_TRY(m_marking.finishClaims());
    const Result<bool> marked = m_marking.markNext();
    if (!marked || *marked)
        co_return marked;
    Result<std::optional<records::RetryBatch>> picked = m_marking.nextToStage(m_lastServed);
    storeGateReasons();
    if (picked && m_shared.resting.breaker().isOpen() && (*picked || !m_shared.resting.isEmpty())) {
        co_await m_shared.resting.checkDestinations();
        if (!m_shared.context.capabilities)
            co_return true; // as above
        picked = m_marking.nextToStage(m_lastServed);
    }
    if (!picked)
        co_return fail(picked.error());
    if (!*picked)
        co_return false;

    m_lastServed = (*picked)->operation;
    m_shared.staging.workFor(m_lastServed);
    CO_TRY(Attempt attempt, nameAttempt(**picked));
    if (attempt.members.isEmpty())
        co_return true; // nothing is left to send: the batch is Done, or it rests
    if (!attempt.place.name.isEmpty()) {
        const Result<> staged = co_await stageOnBroker(std::move(attempt));
        co_await m_shared.voidQueues.removeAll();
        if (!staged)
            co_return fail(staged.error());
        co_return true;
    }
    CO_TRY(const bool free, co_await untilPointerFree(attempt.batch.operation));
    if (!free || m_shared.resting.isOutOfDate(attempt))
        co_return true;
    CO_TRY(enterForwarding(attempt, int(attempt.members.size())));
    co_return true;
}

void Processor::storeGateReasons()
{
    const QList<core::OperationId> changed = m_shared.gates.takeChangedReasons();
    for (const core::OperationId operation : changed)
        m_shared.reasons.store(operation);
}

void Processor::waitFor(core::BatchId batch, core::OperationId operation, const QStringList &destinations)
{
    m_shared.resting.add(batch, operation, destinations);
    m_shared.reasons.store(operation);
}

// Step nameStaging: the name is in the store before anything of that name is on the broker.
Result<Attempt> Processor::nameAttempt(records::RetryBatch batch)
{
    Attempt attempt;
    attempt.batch = std::move(batch);
    attempt.batch.stagingId = m_shared.context.random.hexId();
    if (m_shared.context.capabilities->handOver == records::HandOver::StagingQueue) {
        attempt.place.name = QStringLiteral("redrive.%1.%2.%3")
                                 .arg(m_shared.context.store.storeId())
                                 .arg(m_shared.context.store.fence())
                                 .arg(attempt.batch.stagingId);
    }
    attempt.judged = m_shared.resting.breaker().changes();
    m_shared.resting.remove(attempt.batch.id);
    RestingBatches::KeptOut out;
    core::BatchId apart;
    TRY(m_shared.context.store.transact([&](store::Session &session) -> Result<> {
        store::RetryStore &retries = session.retries();
        TRY(attempt.operation, retries.operation(attempt.batch.operation));
        TRY(attempt.members, retries.nameStaging(attempt.batch.id, attempt.batch.stagingId, attempt.place.name));
        TRY(cutToShare(session, attempt));
        out = m_shared.resting.keepOut(attempt);
        TRY(out.missing.isEmpty() ? Result<>{} : retries.eject(attempt.batch.id, out.missing));
        TRY(apart, m_shared.resting.setApart(session, attempt, out));
        if (!attempt.members.isEmpty() || apart.isValid())
            return {};
        TRY(retries.finishEmpty(attempt.batch.id));
        return m_shared.finisher.finishIfEnded(session, attempt.batch.operation);
    }));
    for (const QString &destination : std::as_const(out.trials))
        m_shared.resting.breaker().beginTrial(destination);
    if (apart.isValid())
        waitFor(apart, attempt.batch.operation, out.destinations);
    // Messages that were refused before come first: they are the ones that may end this attempt.
    std::stable_sort(attempt.members.begin(), attempt.members.end(),
                     [](const auto &a, const auto &b) { return a.stageAttempts > b.stageAttempts; });
    attempt.singly = !attempt.members.isEmpty() && attempt.members.first().stageAttempts > 0;
    QStringList destinations;
    for (const store::RetryMember &member : std::as_const(attempt.members)) {
        if (!destinations.contains(member.destination))
            destinations.append(member.destination);
    }
    if (!attempt.place.name.isEmpty())
        attempt.place.destinations = destinations;
    m_shared.context.progress.aimed(attempt.batch.operation, destinations);
    if (attempt.members.isEmpty())
        m_shared.context.progress.operationChanged(attempt.batch.operation);
    return attempt;
}

// The batch may be older than the rate of its operation: members beyond one share wait in a batch of their own.
Result<> Processor::cutToShare(store::Session &session, Attempt &attempt)
{
    const qsizetype share = records::largestBatch(attempt.operation.plan);
    if (attempt.members.size() <= share)
        return {};
    QList<qint64> later;
    for (const store::RetryMember &member : attempt.members.mid(share))
        later.append(member.ordinal);
    TRY(session.retries().setAside(attempt.batch.id, later, m_shared.context.session));
    attempt.members.resize(share);
    return {};
}

// True: this batch may be forwarded. False: its operation was paused or cancelled meanwhile.
Task<Result<bool>> Processor::untilPointerFree(core::OperationId operation)
{
    while (true) {
        bool free = false;
        bool held = false;
        CO_TRY(m_shared.context.store.read([&](store::Session &session) -> Result<> {
            TRY(const std::optional<records::RetryBatch> now,
                session.retries().nowForwarding(m_shared.context.connection.id));
            free = !now.has_value();
            TRY(const records::RetryOperation mine, session.retries().operation(operation));
            held = isHeld(mine.state);
            return {};
        }));
        if (held)
            co_return false;
        if (free)
            co_return true;
        CO_TRY(co_await m_shared.staging.timers().sleepOrWake(core::limits::idleTick));
    }
}

// Step commitStaged.
Result<> Processor::enterForwarding(const Attempt &attempt, int staged)
{
    const core::BatchId batch = attempt.batch.id;
    bool held = false;
    records::RetryOperation handed;
    const Result<> entered = m_shared.context.store.transact([&](store::Session &session) -> Result<> {
        store::RetryStore &retries = session.retries();
        TRY(records::RetryOperation operation, retries.operation(attempt.batch.operation));
        // If a lower rate was set meanwhile, the batch is cut and named again.
        held = isHeld(operation.state) || staged > records::largestBatch(operation.plan);
        if (held)
            return {};
        if (staged == 0) {
            TRY(retries.finishEmpty(batch));
            return m_shared.finisher.finishIfEnded(session, operation.id);
        }
        handed = operation;
        Result<> begun = retries.beginForwarding(batch, attempt.batch.stagingId, staged);
        if (begun)
            begun = session.evidence().sendingFrom(batch, m_shared.context.clock.now());
        if (!begun || operation.state == OperationState::Running)
            return begun;
        operation.state = OperationState::Running;
        return retries.updateOperation(operation);
    });
    if (!entered || held)
        return entered;
    m_shared.context.progress.operationChanged(attempt.batch.operation);
    if (staged == 0)
        return {};
    m_shared.gates.handedOver(handed, attempt.members, staged);
    m_shared.voidQueues.forget(attempt.place.name);
    if (attempt.place.name.isEmpty())
        // in the intent log, the members count as copies
        m_shared.context.progress.staged(attempt.batch.operation, staged);
    report(attempt.batch, staged, 0);
    m_shared.forwarding.timers().wake();
    return {};
}

} // namespace retry
