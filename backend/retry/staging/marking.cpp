#include "backend/retry/staging/marking.h"

#include "backend/core/limits.h"
#include "backend/records/ledger/operationlife.h"
#include "backend/retry/statechange.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/retry/stagingstore.h"

#include <algorithm>

namespace retry {

using records::OperationState;
using records::RetryBatch;
using records::RetryOperation;

namespace {

// Batches of an operation that are marked before they are staged: enough to see what comes, few enough that a big
// operation does not take the turn of others.
constexpr int markedAhead = 8;
constexpr int carefulBatch = 100; // where duplicates are not allowed: the most that an interruption can send twice

int mostAhead(const records::Plan &plan)
{
    return plan.keepOrder ? 1 : markedAhead; // in order, what is set aside must not be overtaken
}

} // namespace

Marking::Marking(ProcessorContext &context, Gates &gates, const RestingBatches &resting)
    : m_context(context)
    , m_gates(gates)
    , m_resting(resting)
{
}

int Marking::batchSize(const records::Plan &plan) const
{
    const bool careful =
        !m_context.connection.doublesAllowed && m_context.capabilities().handOver == records::HandOver::StagingQueue;
    const int most = careful ? std::min(carefulBatch, m_context.batchMembers) : m_context.batchMembers;
    return std::min(most, records::largestBatch(plan));
}

// The first part of step claim; the other parts follow.
Result<bool> Marking::markNext()
{
    std::optional<RetryBatch> added;
    TRY(m_context.store.transact([&](store::Session &session) -> Result<> {
        TRY(const QList<RetryOperation> operations, session.retryOperations().unfinished(m_context.connection.id));
        const QList<core::BatchId> resting = m_resting.waiting();
        for (const RetryOperation &operation : operations) {
            if (!mayGoOn(operation.state) || operation.counts.pending == 0)
                continue;
            TRY(added, addBatch(session, operation, resting));
            if (added)
                return begin(session, operation);
        }
        return {};
    }));
    if (!added)
        return false;
    m_context.progress.batchMoved(BatchProgress{added->id, added->operation, 0, 0});
    TRY(claimMembers(added->id));
    m_context.progress.operationChanged(added->operation);
    return true;
}

Result<std::optional<RetryBatch>> Marking::addBatch(store::Session &session, const RetryOperation &operation,
                                                    const QList<core::BatchId> &resting)
{
    std::optional<RetryBatch> added;
    const QList<core::BatchId> waiting = resting + m_gates.waitingForRoom(operation.id);
    TRY(const QList<RetryBatch> ahead, session.retryBatches().toStage(operation.id, waiting, markedAhead));
    if (ahead.size() >= mostAhead(operation.plan))
        return added;
    TRY(const Gates::Room room, m_gates.roomToMark(session, operation));
    if (room.members == 0)
        return added;
    const int members = int(std::min<qint64>(batchSize(operation.plan), room.members));
    TRY(added, session.staging().addBatch(operation.id, m_context.session, members));
    if (added)
        TRY(m_gates.batchAdded(session, *added, room));
    return added;
}

// The operation is prepared from its first batch on.
Result<> Marking::begin(store::Session &session, RetryOperation operation)
{
    if (operation.started && operation.state != OperationState::Waiting)
        return {};
    return session.retryOperations().update(
        records::preparing(std::move(operation), m_context.capabilities().handOver, m_context.clock.now()));
}

// The other parts of step claim. Idempotent: the next start finishes what a crash cut short.
Result<> Marking::claimMembers(core::BatchId batch)
{
    TRY(m_context.store.transact([&](store::Session &session) { return session.staging().claimMembers(batch); }));
    return m_context.store.transact([&](store::Session &session) { return session.staging().beginStaging(batch); });
}

// The ordinals of such a batch say what belongs to it.
Result<> Marking::finishClaims(store::MarkedBy who)
{
    QList<core::BatchId> unfinished;
    TRY(m_context.store.read([&](store::Session &session) -> Result<> {
        TRY(const QList<RetryBatch> marking, session.retryBatches().marking(m_context.connection.id, m_context.session,
                                                                            who, core::limits::batchMembers));
        for (const RetryBatch &batch : marking)
            unfinished.append(batch.id);
        return {};
    }));
    for (const core::BatchId batch : std::as_const(unfinished))
        TRY(claimMembers(batch));
    return {};
}

Result<std::optional<RetryBatch>> Marking::nextToStage(core::OperationId last)
{
    return m_context.store.read<std::optional<RetryBatch>>(
        [&](store::Session &session) -> Result<std::optional<RetryBatch>> {
            TRY(const QList<RetryOperation> operations, session.retryOperations().unfinished(m_context.connection.id));
            const QList<core::BatchId> resting = m_resting.waiting();
            std::optional<RetryBatch> wrapped; // of the first operation, if none after `last` has a batch
            for (const RetryOperation &operation : operations) {
                if (!mayGoOn(operation.state)) {
                    m_gates.held(operation.id);
                    continue;
                }
                TRY(std::optional<RetryBatch> oldest, stageable(session, operation, resting));
                if (oldest && operation.id > last)
                    return oldest;
                if (oldest && !wrapped)
                    wrapped = std::move(oldest);
            }
            return wrapped;
        });
}

// The oldest batch of the operation that the gates let go now. One that waits for room at its destinations holds no
// other: the members of the others for the same destinations are set aside when those are staged.
Result<std::optional<RetryBatch>> Marking::stageable(store::Session &session, const RetryOperation &operation,
                                                     const QList<core::BatchId> &resting)
{
    // What was set aside has a higher id than what comes after it in the queue.
    const bool inOrder = operation.plan.keepOrder;
    TRY(m_gates.lookForRoom(session, operation));
    const QList<core::BatchId> waiting = resting + m_gates.waitingForRoom(operation.id);
    TRY(QList<RetryBatch> ahead,
        session.retryBatches().toStage(operation.id, waiting, inOrder ? core::limits::batchMembers : markedAhead + 1));
    if (inOrder)
        std::stable_sort(ahead.begin(), ahead.end(), [](const RetryBatch &one, const RetryBatch &other) {
            return one.firstOrdinal < other.firstOrdinal;
        });
    ahead.removeIf([](const RetryBatch &batch) { return batch.stage != records::BatchStage::Staging; });
    for (const RetryBatch &batch : ahead.mid(0, markedAhead + 1)) {
        TRY(const bool may, m_gates.mayStage(session, operation, batch.id));
        if (may)
            return std::optional(batch);
        if (!m_gates.waitingForRoom(operation.id).contains(batch.id))
            return std::optional<RetryBatch>(); // the whole operation waits
    }
    if (ahead.size() >= mostAhead(operation.plan))
        m_gates.askAgainAtOnce(); // none of them counts as marked ahead any more
    return std::optional<RetryBatch>();
}

} // namespace retry
