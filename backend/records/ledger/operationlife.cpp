#include "backend/records/ledger/operationlife.h"

namespace records {

RetryOperation setComplete(RetryOperation operation, bool allPaused, core::TimePoint now)
{
    operation.state = OperationState::Waiting;
    if (operation.total == 0) {
        operation.state = OperationState::Completed;
        operation.finished = now;
    } else if (allPaused) {
        operation.state = OperationState::Paused;
        operation.pausedBy = PausedBy::PauseAll;
    }
    return operation;
}

RetryOperation preparing(RetryOperation operation, HandOver handOver, core::TimePoint now)
{
    operation.state = OperationState::Preparing;
    operation.started = now;
    operation.handOver = handOver;
    return operation;
}

RetryOperation running(RetryOperation operation)
{
    operation.state = OperationState::Running;
    return operation;
}

RetryOperation paused(RetryOperation operation, PausedBy by, core::TimePoint now, const QString &who)
{
    operation.state = OperationState::Paused;
    operation.pausedBy = by;
    operation.pausedWho = who;
    operation.pausedAt = operation.pausedAt.value_or(now);
    operation.waitingReason.clear();
    return operation;
}

RetryOperation resumed(RetryOperation operation, core::TimePoint now)
{
    operation.endPause(now);
    operation.state = operation.started ? OperationState::Running : OperationState::Waiting;
    operation.waitingReason.clear();
    operation.stoppedBecause.clear();
    return operation;
}

RetryOperation forgiven(RetryOperation operation)
{
    operation.forgiven = operation.counts.cameBack;
    operation.sentBefore = operation.counts.sent + operation.counts.inDoubt;
    return operation;
}

RetryOperation cancelled(RetryOperation operation, core::TimePoint now)
{
    operation.endPause(now);
    operation.state = OperationState::Cancelled;
    operation.waitingReason.clear();
    operation.stoppedBecause.clear();
    return operation;
}

RetryOperation ended(RetryOperation operation, core::TimePoint now)
{
    if (operation.state != OperationState::Cancelled)
        operation.state = OperationState::Completed;
    operation.finished = now;
    operation.waitingReason.clear();
    operation.endPause(now);
    return operation;
}

RetryOperation abandoned(RetryOperation operation, core::TimePoint now)
{
    operation.state = OperationState::Cancelled;
    return ended(operation, now);
}

RetryOperation goesOn(RetryOperation operation, bool allPaused)
{
    operation.finished.reset();
    operation.stoppedBecause.clear();
    operation.state = allPaused ? OperationState::Paused : OperationState::Running;
    operation.pausedBy = allPaused ? PausedBy::PauseAll : PausedBy::Nobody;
    return operation;
}

} // namespace records
