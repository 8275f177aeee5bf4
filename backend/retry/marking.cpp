// Marking Documents (step claim), and the choice of the next batch.
#include "backend/core/limits.h"
#include "backend/retry/processor.h"
#include "backend/retry/states.h"
#include "backend/retry/text.h"
#include "backend/store/retrystore.h"

namespace retry {

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
    TRY(m_dependencies.store.transact([&](store::Session &session) -> Result<> {
        store::RetryStore &retries = session.retries();
        TRY(const QList<records::RetryOperation> operations, retries.unfinished(m_connection.id));
        for (const records::RetryOperation &operation : operations) {
            if (operation.state != OperationState::Cancelled)
                continue;
            TRY(const int cancelled, retries.cancelMembers(operation.id, cancelRows));
            // The last members may have ended as Skipped or Ejected: then nothing else would end the operation.
            const records::OutcomeCounts &counts = operation.counts;
            const bool isOver = !operation.finished && counts.pending + counts.claimed + counts.staged == 0;
            if (cancelled == 0 && !isOver)
                continue;
            touched = operation.id;
            return finishIfEnded(session, operation.id);
        }
        return {};
    }));
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
    TRY(const RampGate::Room room, m_rampGate.roomFor(session, operation, observation));
    if (room.members == 0) {
        static_cast<void>(isDue(std::max(room.wait, core::Milliseconds{1})));
        m_heldBack.insert(operation.id, room.why);
    } else {
        m_heldBack.remove(operation.id);
    }
    return room.members;
}

Result<QueueObservation> Processor::observationFor(store::Session &session,
                                                   const records::RetryOperation &operation) const
{
    if (!m_dependencies.observe || !(operation.plan.isGuarded() || operation.plan.mostWaiting))
        return QueueObservation{};
    TRY(const store::Returns returns, session.retries().returns(m_connection.id, operation.id));
    return m_dependencies.observe(returns);
}

// Why a marked batch waits: nobody would see it come back, or its destinations hold too many messages. Empty: it may be
// staged.
Result<QString> Processor::whyNotYet(store::Session &session, const records::RetryOperation &operation,
                                     core::BatchId batch)
{
    TRY(const QueueObservation observation, observationFor(session, operation));
    if (operation.plan.isGuarded() && !observation.blind.isEmpty())
        return RampGate::blindText(observation.blind);
    if (!operation.plan.mostWaiting)
        return QString();
    TRY(const QList<store::RetryMember> members, session.retries().batchMembers(batch));
    return m_backpressure.objection(operation.plan, countByDestination(members), observation);
}

// Reads the operation again: asking for room may just have proved a step.
Result<> Processor::markStep(store::Session &session, core::OperationId id)
{
    TRY(const records::RetryOperation operation, session.retries().operation(id));
    return m_rampGate.markStep(session, operation);
}

// The first part of step claim, for the next batch of the first operation that may have one; the other parts follow.
// True: there was one.
Result<bool> Processor::markNext()
{
    std::optional<records::RetryBatch> added;
    TRY(m_dependencies.store.transact([&](store::Session &session) -> Result<> {
        store::RetryStore &retries = session.retries();
        TRY(const QList<records::RetryOperation> operations, retries.unfinished(m_connection.id));
        const QList<core::BatchId> waiting = restingBatches();
        for (records::RetryOperation operation : operations) {
            if (!mayGoOn(operation.state) || operation.counts.pending == 0
                || !isDue(m_rateLimiter.untilBegin(operation)))
                continue;
            TRY(const QList<records::RetryBatch> ahead, retries.batchesToStage(operation.id, waiting, markedAhead));
            if (ahead.size() >= markedAhead)
                continue;
            TRY(const QueueObservation observation, observationFor(session, operation));
            TRY(const qint64 room, roomFor(session, operation, observation));
            if (room == 0)
                continue;
            const int members = int(std::min<qint64>(batchSize(operation.plan), room));
            TRY(const std::optional<records::RetryBatch> batch,
                retries.addBatch(operation.id, m_dependencies.session, members));
            if (!batch)
                continue;
            TRY(operation.plan.ramp ? m_rampGate.keepDepths(session, *batch, observation) : Result<>{});
            TRY(markStep(session, operation.id));
            added = batch;
            if (operation.started && operation.state != OperationState::Waiting)
                return {};
            operation.state = OperationState::Preparing;
            operation.started = m_dependencies.clock.now();
            operation.handOver = m_capabilities ? m_capabilities->handOver : records::HandOver::None;
            return retries.updateOperation(operation);
        }
        return {};
    }));
    if (!added)
        return false;
    report(*added, 0, 0);
    TRY(markMembers(added->id));
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
    TRY(m_dependencies.store.transact([&](store::Session &session) { return session.retries().claimMembers(batch); }));
    return m_dependencies.store.transact(
        [&](store::Session &session) { return session.retries().beginStaging(batch); });
}

// Operations take turns; within an operation the oldest batch comes first.
Result<std::optional<records::RetryBatch>> Processor::pickBatch()
{
    return m_dependencies.store.read<std::optional<records::RetryBatch>>(
        [&](store::Session &session) -> Result<std::optional<records::RetryBatch>> {
            std::optional<records::RetryBatch> picked;
            store::RetryStore &retries = session.retries();
            TRY(const QList<records::RetryOperation> operations, retries.unfinished(m_connection.id));
            const QList<core::BatchId> waiting = restingBatches();
            std::optional<records::RetryBatch> wrapped;
            for (const records::RetryOperation &operation : operations) {
                if (!mayGoOn(operation.state))
                    continue;
                TRY(const QList<records::RetryBatch> ahead,
                    retries.batchesToStage(operation.id, waiting, markedAhead + 1));
                const auto oldest = std::find_if(ahead.begin(), ahead.end(), [](const records::RetryBatch &batch) {
                    return batch.stage == BatchStage::Staging;
                });
                if (oldest == ahead.end() || !isDue(m_rateLimiter.untilNext(operation)))
                    continue;
                TRY(const QString why, whyNotYet(session, operation, oldest->id));
                if (!why.isEmpty()) {
                    m_heldBack.insert(operation.id, why);
                    static_cast<void>(isDue(RampGate::checkAgain));
                    continue;
                }
                if (operation.counts.pending == 0 || !operation.plan.ramp)
                    m_heldBack.remove(operation.id);
                if (operation.id > m_lastServed) {
                    picked = *oldest;
                    return picked;
                }
                if (!wrapped)
                    wrapped = *oldest;
            }
            picked = wrapped;
            return picked;
        });
}

} // namespace retry
