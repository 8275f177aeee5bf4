#include "backend/retry/statechange.h"

#include "backend/retry/text.h"
#include "backend/store/evidencestore.h"
#include "backend/store/retrystore.h"

namespace retry {

using core::fail;
using core::Result;
using records::OperationState;
using records::PausedBy;

namespace {

bool isAllowed(const records::RetryOperation &operation, StateChange change)
{
    const bool paused = operation.state == OperationState::Paused;
    if (operation.finished || operation.state == OperationState::Cancelled
        || operation.state == OperationState::Freezing)
        return false;
    switch (change) {
    case StateChange::Pause:
    case StateChange::PauseAll:
        return !paused;
    case StateChange::Resume:
        return paused;
    case StateChange::ResumeAll:
        return paused && operation.pausedBy == PausedBy::PauseAll;
    case StateChange::Cancel:
        return true;
    }
    Q_UNREACHABLE();
}

void apply(records::RetryOperation &operation, StateChange change, core::TimePoint now, const QString &who)
{
    operation.waitingReason.clear();
    operation.stoppedBecause.clear();
    operation.endPause(now);
    switch (change) {
    case StateChange::Pause:
    case StateChange::PauseAll:
        operation.state = OperationState::Paused;
        operation.pausedBy = change == StateChange::Pause ? PausedBy::Person : PausedBy::PauseAll;
        operation.pausedWho = who;
        operation.pausedAt = now;
        break;
    case StateChange::Resume: // the person has seen what came back
        operation.forgiven = operation.counts.cameBack;
        operation.sentBefore = operation.counts.sent + operation.counts.inDoubt;
        [[fallthrough]];
    case StateChange::ResumeAll:
        operation.state =
            // perhaps it still waits for its start time
            operation.started ? OperationState::Running : OperationState::Waiting;
        break;
    case StateChange::Cancel:
        operation.state = OperationState::Cancelled;
        break;
    }
}

} // namespace

Result<> changeState(store::Session &session, core::OperationId id, StateChange change, core::TimePoint now,
                     const QString &who)
{
    TRY(records::RetryOperation operation, session.retries().operation(id));
    if (!isAllowed(operation, change)) {
        return fail(core::ErrorKind::Conflict, Text::tr("Operation %1 is %2, so this is not possible now.")
                                                   .arg(QString::number(id.value), records::toString(operation.state)));
    }
    apply(operation, change, now, who);
    const Result<> updated = session.retries().updateOperation(operation);
    const bool goesOn = change == StateChange::Resume || change == StateChange::ResumeAll;
    if (!updated || !goesOn || !operation.plan.isGuarded())
        return updated;
    return session.evidence().mark(id, now, store::MarkKind::GoesOn, 0);
}

} // namespace retry
