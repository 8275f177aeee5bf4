#include "backend/retry/context/waitingreasons.h"

#include "backend/retry/statechange.h"
#include "backend/store/retry/retryoperationstore.h"

namespace retry {

WaitingReasons::WaitingReasons(ProcessorContext &context, const RestingBatches &resting, const Gates &gates)
    : m_context(context)
    , m_resting(resting)
    , m_gates(gates)
{
}

void WaitingReasons::set(LaneName lane, core::OperationId operation, const QString &reason)
{
    const core::OperationId before = of(lane).operation;
    const bool concernedAll = concernsAll(lane);
    m_lanes.at(size_t(lane)) = LaneReason{operation, reason};
    if (concernedAll || concernsAll(lane))
        storeAll();
    if (before.isValid() && before != operation)
        store(before);
    if (operation.isValid())
        store(operation);
}

bool WaitingReasons::concernsAll(LaneName lane) const
{
    return !of(lane).operation.isValid() && !of(lane).reason.isEmpty();
}

QString WaitingReasons::reasonFor(core::OperationId operation) const
{
    for (const LaneName lane : {LaneName::Forwarding, LaneName::Staging}) {
        const LaneReason &waiting = of(lane);
        if ((waiting.operation == operation || concernsAll(lane)) && !waiting.reason.isEmpty())
            return waiting.reason;
    }
    const QString resting = m_resting.reason(operation);
    return resting.isEmpty() ? m_gates.reason(operation) : resting;
}

void WaitingReasons::store(core::OperationId id)
{
    const QString reason = reasonFor(id);
    if (m_stored.contains(id) && m_stored.value(id) == reason)
        return;
    const Result<> stored = m_context.store.transact([&](store::Session &session) -> Result<> {
        TRY(records::RetryOperation operation, session.retryOperations().load(id));
        const bool outOfDate = !mayGoOn(operation.state) && reason == m_gates.reason(id);
        operation.waitingReason = outOfDate ? QString() : reason;
        return session.retryOperations().update(operation);
    });
    if (!stored)
        return;
    m_stored.insert(id, reason);
    m_context.progress.operationChanged(id);
}

void WaitingReasons::storeAll()
{
    QList<core::OperationId> waiting;
    const Result<> read = m_context.store.read([&](store::Session &session) -> Result<> {
        TRY(const QList<records::RetryOperation> operations,
            session.retryOperations().unfinished(m_context.connection.id));
        for (const records::RetryOperation &operation : operations) {
            if (mayGoOn(operation.state))
                waiting.append(operation.id);
        }
        return {};
    });
    if (!read)
        return;
    for (const core::OperationId id : std::as_const(waiting))
        store(id);
}

} // namespace retry
