#include "backend/retry/statechange.h"

#include "backend/records/ledger/operationlife.h"
#include "backend/retry/text.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/retryoperationstore.h"

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

// Why the change is not possible now, and what to do instead.
QString whyNot(const records::RetryOperation &operation, StateChange change)
{
    const QString id = QString::number(operation.id.value);
    if (operation.state == OperationState::Freezing)
        return Text::tr("The set of operation %1 is not complete yet. Try again in a moment.").arg(id);
    if (operation.state == OperationState::Cancelled && !operation.finished)
        return Text::tr("Operation %1 is being cancelled. Wait until it ends.").arg(id);
    if (operation.finished)
        return Text::tr("Operation %1 has ended. Only an operation that goes on can be paused, resumed or cancelled.")
            .arg(id);
    if (change != StateChange::Pause && change != StateChange::PauseAll)
        return Text::tr("Operation %1 is not paused, so there is nothing to resume.").arg(id);
    if (operation.pausedBy == PausedBy::PauseAll)
        return Text::tr("Operation %1 is paused already, like all retries. Resume all to go on.").arg(id);
    return operation.pausedWho.isEmpty()
               ? Text::tr("Operation %1 is paused already. Resume it to go on.").arg(id)
               : Text::tr("Operation %1 is paused already, by %2. Resume it to go on.").arg(id, operation.pausedWho);
}

records::RetryOperation changed(const records::RetryOperation &operation, StateChange change, core::TimePoint now,
                                const QString &who)
{
    switch (change) {
    case StateChange::Pause:
        return records::paused(operation, PausedBy::Person, now, who);
    case StateChange::PauseAll:
        return records::paused(operation, PausedBy::PauseAll, now, who);
    case StateChange::Resume: // the person has seen what came back
        return records::forgiven(records::resumed(operation, now));
    case StateChange::ResumeAll:
        return records::resumed(operation, now);
    case StateChange::Cancel:
        return records::cancelled(operation, now);
    }
    Q_UNREACHABLE();
}

} // namespace

Result<> changeState(store::Session &session, core::OperationId id, StateChange change, core::TimePoint now,
                     const QString &who)
{
    TRY(const records::RetryOperation operation, session.retryOperations().load(id));
    if (!isAllowed(operation, change))
        return fail(core::ErrorKind::Conflict, whyNot(operation, change));
    const Result<> updated = session.retryOperations().update(changed(operation, change, now, who));
    const bool goesOn = change == StateChange::Resume || change == StateChange::ResumeAll;
    if (!updated || !goesOn || !operation.plan.isGuarded())
        return updated;
    return session.evidence().mark(id, now, records::RunMark::Kind::GoesOn, 0);
}

} // namespace retry
