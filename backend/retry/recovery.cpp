// What a start finds, and what it does about it. There is no other way to start.
#include "backend/core/laterequests.h"
#include "backend/core/limits.h"
#include "backend/retry/processor.h"
#include "backend/retry/selectionfreezer.h"
#include "backend/store/retrystore.h"

#include <limits>

namespace retry {

using records::BatchStage;
using records::OperationState;

Task<Result<>> Processor::recover()
{
    if (m_dependencies.freezingIsStale)
        CO_TRY(co_await discardFreezing());
    co_return adoptOrphans();
}

// A set that was still being frozen was never confirmed completely: it is discarded, never sent.
Task<Result<>> Processor::discardFreezing()
{
    QList<core::OperationId> half;
    CO_TRY(m_dependencies.store.read([&](store::Session &session) -> Result<> {
        TRY(const QList<records::RetryOperation> operations, session.retries().unfinished(m_connection.id));
        for (const records::RetryOperation &operation : operations) {
            if (operation.state == OperationState::Freezing)
                half.append(operation.id);
        }
        return {};
    }));
    SelectionFreezer freezer(m_dependencies.store, m_dependencies.clock, m_staging.timers);
    for (const core::OperationId id : half) {
        CO_TRY(co_await freezer.discard(id));
        m_dependencies.progress.operationChanged(id);
    }
    co_return {};
}

// Batches that are still marking belong to a run that ended. Their ordinals say what belongs to them, so step claim is
// finished.
Result<> Processor::adoptOrphans()
{
    QList<core::BatchId> orphans;
    TRY(m_dependencies.store.read([&](store::Session &session) -> Result<> {
        TRY(const QList<records::RetryBatch> marking,
            session.retries().markingBatches(m_connection.id, core::limits::batchMembers));
        for (const records::RetryBatch &batch : marking)
            orphans.append(batch.id);
        return {};
    }));
    for (const core::BatchId orphan : std::as_const(orphans))
        TRY(markMembers(orphan));
    return {};
}

// Staging queues of this store that no batch in Forwarding names are void: they hold only copies, and the messages are
// in the store. Those of other stores, and of another connection to the same broker, are not touched.
Task<Result<>> Processor::findVoidPlaces()
{
    if (m_dependencies.broker.stagingQueue() == nullptr) {
        m_leftoversKnown = true;
        co_return {};
    }
    CO_TRY(const QList<broker::Leftover> found, co_await m_dependencies.broker.leftovers());
    QSet<QString> live;
    CO_TRY(m_dependencies.store.read([&](store::Session &session) -> Result<> {
        TRY(const QList<records::RetryBatch> batches,
            session.retries().liveBatches({}, std::numeric_limits<int>::max()));
        for (const records::RetryBatch &batch : batches) {
            if (batch.connection != m_connection.id || batch.stage == BatchStage::Forwarding)
                live.insert(batch.place);
        }
        return {};
    }));
    // A request of a dead session may still arrive. What it creates in a removed place is found by name; a place that
    // did not exist before is found by another check.
    m_leftoversKnown = m_dependencies.clock.steady() - m_since >= core::limits::lateRequests;
    const QStringList again = m_leftoversKnown ? std::exchange(m_foundVoid, {}) : QStringList();
    m_voidPlaces += again;
    for (const broker::Leftover &leftover : found) {
        const bool mine =
            leftover.storeId == m_dependencies.store.storeId() && leftover.kind != broker::Leftover::Kind::Holding;
        if (!mine || live.contains(leftover.name) || m_voidPlaces.contains(leftover.name))
            continue;
        m_voidPlaces.append(leftover.name);
        m_foundVoid.append(leftover.name);
    }
    co_return {};
}

} // namespace retry
