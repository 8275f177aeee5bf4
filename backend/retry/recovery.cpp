#include "backend/retry/recovery.h"

#include "backend/retry/selectionfreezer.h"
#include "backend/store/retry/retryoperationstore.h"

namespace retry {

Recovery::Recovery(SharedState &shared, Marking &marking)
    : m_context(shared.context)
    , m_timers(shared.staging.timers())
    , m_marking(marking)
{
}

Task<Result<>> Recovery::recover()
{
    if (m_context.freezingIsStale)
        CO_TRY(co_await discardFreezing());
    co_return m_marking.adoptOrphans();
}

// A set that was still being frozen was never confirmed completely: it is discarded, never sent.
Task<Result<>> Recovery::discardFreezing()
{
    QList<core::OperationId> half;
    CO_TRY(m_context.store.read([&](store::Session &session) -> Result<> {
        TRY(const QList<records::RetryOperation> operations,
            session.retryOperations().unfinished(m_context.connection.id));
        for (const records::RetryOperation &operation : operations) {
            if (operation.state == records::OperationState::Freezing)
                half.append(operation.id);
        }
        return {};
    }));
    SelectionFreezer freezer(m_context.store, m_context.clock, m_timers);
    for (const core::OperationId id : half) {
        CO_TRY(co_await freezer.discard(id));
        m_context.progress.operationChanged(id);
    }
    co_return {};
}

} // namespace retry
