#include "models/retries/retrypace.h"

#include "backend/records/rules/pace.h"

namespace models {

namespace {

constexpr qint64 enoughToTell = 20;

std::optional<double> paceOf(const api::OperationView &view)
{
    const records::RetryOperation &operation = view.operation;
    if (operation.counts.sent < enoughToTell || !records::isUnthrottled(operation.plan))
        return std::nullopt;
    if (view.messagesPerSecond > 0 && operation.state == records::OperationState::Running)
        return view.messagesPerSecond;
    if (!operation.started || !operation.finished)
        return std::nullopt;
    const core::Milliseconds worked = *operation.finished - *operation.started - operation.rested;
    if (worked.count() <= 0)
        return std::nullopt;
    return double(operation.counts.sent) * 1000.0 / double(worked.count());
}

} // namespace

QHash<core::ConnectionId, double> retryPaces(const api::Snapshot &snapshot)
{
    QHash<core::ConnectionId, double> paces;
    QHash<core::ConnectionId, core::OperationId> from;
    for (const api::OperationView &view : snapshot.operations) {
        const core::ConnectionId connection = view.operation.connection;
        const std::optional<double> pace = paceOf(view);
        if (!pace || view.operation.id < from.value(connection))
            continue;
        from.insert(connection, view.operation.id);
        paces.insert(connection, *pace);
    }
    return paces;
}

} // namespace models
