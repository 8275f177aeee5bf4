// Marking Documents (step claim), and the choice of the next batch.
#include "backend/core/limits.h"
#include "backend/retry/processor.h"
#include "backend/retry/states.h"
#include "backend/retry/text.h"
#include "backend/store/retrystore.h"

namespace retry {

using core::fail;
using records::BatchStage;
using records::OperationState;

namespace {

// Batches of an operation that are marked before they are staged: enough to see what comes, few enough that a big
// operation does not take the turn of others.
constexpr int markedAhead = 8;
constexpr int cancelRows = 1000;
constexpr int carefulBatch = 100; // where duplicates are not allowed: the most that an interruption can send twice

} // namespace

int Processor::batchSize(const records::Plan &plan) const
{
    const bool careful =
        !m_connection.doublesAllowed && m_capabilities && m_capabilities->handOver == records::HandOver::StagingQueue;
    const int most = careful ? std::min(carefulBatch, m_dependencies.batchMembers) : m_dependencies.batchMembers;
    return std::min(most, records::largestBatch(plan));
}

// Remembers when to check again what is not due yet.
bool Processor::isDue(core::Milliseconds wait)
{
    if (wait.count() > 0)
        m_untilDue = std::min(m_untilDue, wait);
    return wait.count() <= 0;
}

// Cancels one slice of one cancelled operation. True: there was one.
Result<bool> Processor::cancelSome()
{
    core::OperationId touched;
    const Result<> done = m_dependencies.store.transact([&](store::Session &session) -> Result<> {
        store::RetryStore &retries = session.retries();
        const Result<QList<records::RetryOperation>> operations = retries.unfinished(m_connection.id);
        if (!operations)
            return fail(operations.error());
        for (const records::RetryOperation &operation : *operations) {
            if (operation.state != OperationState::Cancelled)
                continue;
            const Result<int> cancelled = retries.cancelMembers(operation.id, cancelRows);
            if (!cancelled)
                return fail(cancelled.error());
            // The last members may have ended as Skipped or Ejected: then nothing else would end the operation.
            const records::OutcomeCounts &counts = operation.counts;
            const bool isOver = !operation.finished && counts.pending + counts.claimed + counts.staged == 0;
            if (*cancelled == 0 && !isOver)
                continue;
            touched = operation.id;
            return finishIfEnded(session, operation.id);
        }
        return {};
    });
    if (!done)
        return fail(done.error());
    if (touched.isValid()) {
        m_resting.removeIf([touched](const auto &resting) { return resting->operation == touched; });
        m_dependencies.progress.operationChanged(touched);
    }
    return touched.isValid();
}

// How many members may be marked now. Unknown facts about queues are no reason to wait.
Result<qint64> Processor::roomFor(store::Session &session, const records::RetryOperation &operation,
                                  const QueueObservation &observation)
{
    const Result<RampGate::Room> room = m_rampGate.roomFor(session, operation, observation);
    if (!room)
        return fail(room.error());
    if (room->members == 0) {
        static_cast<void>(isDue(std::max(room->wait, core::Milliseconds{1})));
        m_heldBack.insert(operation.id, room->why);
    } else {
        m_heldBack.remove(operation.id);
    }
    return room->members;
}

Result<QueueObservation> Processor::observationFor(store::Session &session,
                                                   const records::RetryOperation &operation) const
{
    if (!m_dependencies.observe || !(operation.plan.isGuarded() || operation.plan.mostWaiting))
        return QueueObservation{};
    const Result<store::Returns> returns = session.retries().returns(m_connection.id, operation.id);
    if (!returns)
        return fail(returns.error());
    return m_dependencies.observe(*returns);
}

// Why a marked batch waits: nobody would see it come back, or its destinations hold too many messages. Empty: it may be
// staged.
Result<QString> Processor::whyNotYet(store::Session &session, const records::RetryOperation &operation,
                                     core::BatchId batch)
{
    const Result<QueueObservation> observation = observationFor(session, operation);
    if (!observation)
        return fail(observation.error());
    if (operation.plan.isGuarded() && !observation->blind.isEmpty())
        return RampGate::blindText(observation->blind);
    if (!operation.plan.mostWaiting)
        return QString();
    const Result<QList<store::RetryMember>> members = session.retries().batchMembers(batch);
    if (!members)
        return fail(members.error());
    return m_backpressure.objection(operation.plan, countByDestination(*members), *observation);
}

// Reads the operation again: asking for room may just have proved a step.
Result<> Processor::markStep(store::Session &session, core::OperationId id)
{
    const Result<records::RetryOperation> operation = session.retries().operation(id);
    return operation ? m_rampGate.markStep(session, *operation) : fail(operation.error());
}

// The first part of step claim, for the next batch of the first operation that may have one; the other parts follow.
// True: there was one.
Result<bool> Processor::markNext()
{
    std::optional<records::RetryBatch> added;
    const Result<> made = m_dependencies.store.transact([&](store::Session &session) -> Result<> {
        store::RetryStore &retries = session.retries();
        const Result<QList<records::RetryOperation>> operations = retries.unfinished(m_connection.id);
        if (!operations)
            return fail(operations.error());
        const QList<core::BatchId> waiting = restingBatches();
        for (records::RetryOperation operation : *operations) {
            if (!mayGoOn(operation.state) || operation.counts.pending == 0
                || !isDue(m_rateLimiter.untilBegin(operation)))
                continue;
            const Result<QList<records::RetryBatch>> ahead = retries.batchesToStage(operation.id, waiting, markedAhead);
            if (!ahead)
                return fail(ahead.error());
            if (ahead->size() >= markedAhead)
                continue;
            const Result<QueueObservation> observation = observationFor(session, operation);
            if (!observation)
                return fail(observation.error());
            const Result<qint64> room = roomFor(session, operation, *observation);
            if (!room)
                return fail(room.error());
            if (*room == 0)
                continue;
            const int members = int(std::min<qint64>(batchSize(operation.plan), *room));
            const Result<std::optional<records::RetryBatch>> batch =
                retries.addBatch(operation.id, m_dependencies.session, members);
            if (!batch)
                return fail(batch.error());
            if (!*batch)
                continue;
            Result<> kept = operation.plan.ramp ? m_rampGate.keepDepths(session, **batch, *observation) : Result<>{};
            if (kept)
                kept = markStep(session, operation.id);
            if (!kept)
                return kept;
            added = *batch;
            if (operation.started && operation.state != OperationState::Waiting)
                return {};
            operation.state = OperationState::Preparing;
            operation.started = m_dependencies.clock.now();
            operation.handOver = m_capabilities ? m_capabilities->handOver : records::HandOver::None;
            return retries.updateOperation(operation);
        }
        return {};
    });
    if (!made)
        return fail(made.error());
    if (!added)
        return false;
    report(*added, 0, 0);
    const Result<> marked = markMembers(added->id);
    if (!marked)
        return fail(marked.error());
    m_dependencies.progress.operationChanged(added->operation);
    return true;
}

// Stores the reasons that changed.
void Processor::tellHeldBack()
{
    const QHash<core::OperationId, QString> before = std::exchange(m_heldTold, m_heldBack);
    const QHash<core::OperationId, QString> now = m_heldBack;
    for (auto held = now.cbegin(); held != now.cend(); ++held) {
        if (before.value(held.key()) != *held)
            storeReason(held.key());
    }
    for (auto held = before.cbegin(); held != before.cend(); ++held) {
        if (!now.contains(held.key()))
            storeReason(held.key());
    }
}

// The other parts of step claim. Idempotent: the next start finishes what a crash cut short.
Result<> Processor::markMembers(core::BatchId batch)
{
    const Result<> claimed =
        m_dependencies.store.transact([&](store::Session &session) { return session.retries().claimMembers(batch); });
    if (!claimed)
        return claimed;
    return m_dependencies.store.transact(
        [&](store::Session &session) { return session.retries().beginStaging(batch); });
}

// Operations take turns; within an operation the oldest batch comes first.
Result<std::optional<records::RetryBatch>> Processor::pickBatch()
{
    std::optional<records::RetryBatch> picked;
    const Result<> done = m_dependencies.store.read([&](store::Session &session) -> Result<> {
        store::RetryStore &retries = session.retries();
        const Result<QList<records::RetryOperation>> operations = retries.unfinished(m_connection.id);
        if (!operations)
            return fail(operations.error());
        const QList<core::BatchId> waiting = restingBatches();
        std::optional<records::RetryBatch> wrapped;
        for (const records::RetryOperation &operation : *operations) {
            if (!mayGoOn(operation.state))
                continue;
            const Result<QList<records::RetryBatch>> ahead =
                retries.batchesToStage(operation.id, waiting, markedAhead + 1);
            if (!ahead)
                return fail(ahead.error());
            const auto oldest = std::find_if(ahead->begin(), ahead->end(), [](const records::RetryBatch &batch) {
                return batch.stage == BatchStage::Staging;
            });
            if (oldest == ahead->end() || !isDue(m_rateLimiter.untilNext(operation)))
                continue;
            const Result<QString> why = whyNotYet(session, operation, oldest->id);
            if (!why)
                return fail(why.error());
            if (!why->isEmpty()) {
                m_heldBack.insert(operation.id, *why);
                static_cast<void>(isDue(RampGate::checkAgain));
                continue;
            }
            if (operation.counts.pending == 0 || !operation.plan.ramp)
                m_heldBack.remove(operation.id);
            if (operation.id > m_lastServed) {
                picked = *oldest;
                return {};
            }
            if (!wrapped)
                wrapped = *oldest;
        }
        picked = wrapped;
        return {};
    });
    if (!done)
        return fail(done.error());
    return picked;
}

} // namespace retry
