#include "backend/retry/context/operationfinisher.h"

#include "backend/records/ledger/operationlife.h"
#include "backend/store/retry/claimstore.h"
#include "backend/store/retry/retryoperationstore.h"

namespace retry {

using records::OperationState;

namespace {

constexpr int sliceRows = 1000;

bool hasUnfinishedMembers(const records::OutcomeCounts &counts)
{
    return counts.open() > 0;
}

} // namespace

OperationFinisher::OperationFinisher(ProcessorContext &context, Gates &gates, RestingBatches &resting)
    : m_context(context)
    , m_gates(gates)
    , m_resting(resting)
{
}

Result<> OperationFinisher::finishIfEnded(store::Session &session, core::OperationId id)
{
    TRY(const records::RetryOperation operation, session.retryOperations().load(id));
    if (operation.finished || hasUnfinishedMembers(operation.counts))
        return {};
    m_gates.forget(id);
    return session.retryOperations().update(records::ended(operation, m_context.clock.now()));
}

Result<bool> OperationFinisher::cancelSlice()
{
    core::OperationId touched;
    TRY(m_context.store.transact([&](store::Session &session) -> Result<> {
        TRY(const QList<records::RetryOperation> operations,
            session.retryOperations().unfinished(m_context.connection.id));
        for (const records::RetryOperation &operation : operations) {
            if (operation.state != OperationState::Cancelled)
                continue;
            TRY(const int cancelled, session.claims().cancelMembers(operation.id, sliceRows));
            // The last members may have ended as Skipped or Ejected: then nothing else would end the operation.
            const bool isOver = !operation.finished && !hasUnfinishedMembers(operation.counts);
            if (cancelled == 0 && !isOver)
                continue;
            touched = operation.id;
            return finishIfEnded(session, operation.id);
        }
        return {};
    }));
    if (touched.isValid()) {
        m_resting.removeAllOf(touched);
        m_context.progress.operationChanged(touched);
    }
    return touched.isValid();
}

} // namespace retry
