#include "backend/retry/forwarding/intentlog.h"

#include "backend/core/limits.h"
#include "backend/retry/text.h"
#include "backend/store/retry/claimstore.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/intentstore.h"
#include "backend/store/retry/retryoperationstore.h"

namespace retry {

using records::SendEnd;

using core::ErrorKind;
using core::fail;
using records::OperationState;

IntentLog::IntentLog(SharedState &shared, OutcomeRecorder &outcomes)
    : m_shared(shared)
    , m_context(shared.context)
    , m_finisher(shared.finisher)
    , m_lane(shared.forwarding)
    , m_outcomes(outcomes)
{
}

Task<Result<>> IntentLog::send(records::RetryBatch batch)
{
    const auto run = std::make_shared<IntentLogRun>(m_shared, batch, m_context.capabilities());
    CO_TRY(co_await settleOpenIntents(batch));
    while (true) {
        run->step();
        while (run->maySend())
            keepSending(run);
        if (run->isOver())
            break;
        const core::Pending<bool> due = run->stepDue();
        co_await due;
    }
    run->close();
    CO_TRY(co_await recordLastOutcomes(run));
    if (run->error())
        co_return fail(*run->error());
    if (m_context.stopping)
        co_return fail(ErrorKind::Cancelled, Text::tr("Stopped."));
    const Result<> ended = co_await end(run);
    co_return ended;
}

// Open intents belong to a run that crashed.
Task<Result<>> IntentLog::settleOpenIntents(records::RetryBatch batch)
{
    QList<store::RetryMember> open;
    const auto readOpen = [&](store::Session &session) -> Result<> {
        TRY(open, session.intents().openIntents(batch.id));
        return {};
    };
    const Result<> read = m_context.store.read(readOpen);
    if (!read || open.isEmpty())
        co_return read;
    CO_TRY(co_await m_context.intakeOnce());
    const Result<> settled = m_context.store.transact([&](store::Session &session) -> Result<> {
        TRY(readOpen(session));
        TRY(const records::RetryOperation operation, session.retryOperations().load(batch.operation));
        const bool again = operation.plan.onUnknown == records::OnUnknown::SendAgain;
        QList<store::SendResult> outcomes;
        for (const store::RetryMember &member : std::as_const(open)) {
            outcomes.append({member.ordinal, again ? SendEnd::AcceptedPerhaps : SendEnd::Unanswered,
                             Text::tr("The program stopped while it was sending this message.")});
        }
        return session.intents().writeOutcomes(batch.id, outcomes);
    });
    m_context.progress.operationChanged(batch.operation);
    co_return settled;
}

// Keeps one call in progress as long as messages are loaded.
Task<> IntentLog::keepSending(std::shared_ptr<IntentLogRun> run)
{
    while (run->maySend()) {
        const SendWindow::Call call = run->nextCall();
        QList<broker::Outgoing> messages = call.messages;
        ++m_calls;
        const QList<broker::SendOutcome> outcomes = co_await m_context.broker.send(std::move(messages));
        --m_calls;
        run->answered(call, outcomes);
        if (run->isClosed())
            break;
    }
}

// The broker's answers must not be lost while this process lives: storing them is tried until it succeeds.
Task<Result<>> IntentLog::recordLastOutcomes(std::shared_ptr<IntentLogRun> run)
{
    while (true) {
        const Result<> recorded = run->recordOutcomes();
        if (recorded)
            co_return recorded;
        const bool goOn = co_await m_lane.waitAfter(recorded.error());
        if (!goOn)
            co_return recorded;
    }
}

// All is sent, or the operation is paused, cancelled or slower now: unsent members go back, or end here if it is
// cancelled.
Task<Result<>> IntentLog::end(std::shared_ptr<IntentLogRun> run)
{
    const records::RetryBatch batch = run->batch();
    const OperationState state = run->intents().operationState();
    if (state == OperationState::Paused || (state == OperationState::Running && run->intents().isSlowed()))
        co_return closeBatch(batch);
    int rows = state == OperationState::Cancelled ? 1 : 0;
    while (rows > 0) { // in slices: a big set is too much for one transaction, and other work gets its turn
        CO_TRY(rows, m_context.store.transact<int>([&](store::Session &session) {
            return session.claims().cancelMembers(batch.operation, core::limits::batchMembers);
        }));
        CO_TRY(co_await m_lane.timers().sleep(core::Milliseconds{0}));
    }
    co_return m_outcomes.record(batch, {});
}

Result<> IntentLog::closeBatch(const records::RetryBatch &batch)
{
    TRY(m_context.store.transact([&](store::Session &session) -> Result<> {
        TRY(session.intents().closeIntentLogBatch(batch.id, m_context.session));
        TRY(session.evidence().sentUntil(batch.id, m_context.clock.now()));
        return m_finisher.finishIfEnded(session, batch.operation);
    }));
    m_context.progress.operationChanged(batch.operation);
    return {};
}

} // namespace retry
