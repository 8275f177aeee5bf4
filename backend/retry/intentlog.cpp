// Sending from the intent log: recordIntents, send, recordOutcomes.
#include "backend/core/limits.h"
#include "backend/retry/outgoing.h"
#include "backend/retry/processor.h"
#include "backend/retry/text.h"
#include "backend/store/evidencestore.h"
#include "backend/store/retrystore.h"

namespace retry {

using broker::Verdict;
using core::ErrorKind;
using core::fail;
using records::OperationState;
using End = store::IntentOutcome::End;

namespace {

constexpr qint64 stepBytes = 32LL * 1024 * 1024; // of bodies loaded by one transaction

} // namespace

// Outcomes and new intents share a commit, and each answer makes room for the next message. Ends only when no send is
// in progress.
Task<Result<>> Processor::forwardIntentLog(records::RetryBatch batch)
{
    const auto run = std::make_shared<IntentLogRun>(m_shared.context.clock, *m_shared.context.capabilities);
    run->batch = batch;
    CO_TRY(co_await settleOpenIntents(batch));
    while (true) {
        const Result<> stepped = intentStep(*run);
        if (!stepped) {
            run->trouble = stepped.error();
            run->window.holdSteps();
        }
        if (run->state != OperationState::Running || run->slowed)
            giveBack(*run);
        while (maySend(*run))
            sendSome(run);
        const bool more = !run->window.due().isEmpty() || !run->dry;
        if (!run->window.isUnderWay() && (!more || run->trouble || m_shared.context.stopping))
            break;
        const core::Pending<bool> due = run->window.stepDue();
        co_await due;
    }
    run->over = true;
    CO_TRY(co_await keepOutcomes(run));
    if (run->trouble)
        co_return fail(*run->trouble);
    if (m_shared.context.stopping)
        co_return fail(ErrorKind::Cancelled, Text::tr("Stopped."));
    const Result<> ended = co_await endIntentLog(run);
    co_return ended;
}

bool Processor::maySend(const IntentLogRun &run) const
{
    return !run.over && !run.trouble && !m_shared.context.stopping && run.window.canLaunch();
}

// Takes back the intents of messages that were not handed to the broker yet.
void Processor::giveBack(IntentLogRun &run)
{
    const QList<qint64> ordinals = run.window.unload();
    for (const qint64 ordinal : ordinals)
        run.window.add({ordinal, End::NotSent, {}});
}

// Open intents belong to a run that crashed. An intake runs first: a message that it finds by its stamp was sent.
Task<Result<>> Processor::settleOpenIntents(records::RetryBatch batch)
{
    QList<store::RetryMember> open;
    const auto look = [&](store::Session &session) -> Result<> {
        TRY(open, session.retries().openIntents(batch.id));
        return {};
    };
    const Result<> looked = m_shared.context.store.read(look);
    if (!looked || open.isEmpty())
        co_return looked;
    CO_TRY(co_await m_shared.context.intakeOnce());
    const Result<> settled = m_shared.context.store.transact([&](store::Session &session) -> Result<> {
        TRY(look(session));
        TRY(const records::RetryOperation operation, session.retries().operation(batch.operation));
        const bool again = operation.plan.onUnknown == records::OnUnknown::SendAgain;
        QList<store::IntentOutcome> outcomes;
        for (const store::RetryMember &member : std::as_const(open)) {
            outcomes.append({member.ordinal, again ? End::SendAgain : End::InDoubt,
                             Text::tr("The program stopped while it was sending this message.")});
        }
        return session.retries().writeOutcomes(batch.id, outcomes);
    });
    m_shared.context.progress.operationChanged(batch.operation);
    co_return settled;
}

// recordOutcomes for answered messages and recordIntents for the next ones, in one transaction. If it fails, nothing
// changes here either.
Result<> Processor::intentStep(IntentLogRun &run)
{
    SendWindow &window = run.window;
    if (run.trouble || m_shared.context.stopping)
        giveBack(run);
    QList<store::IntentOutcome> outcomes;
    Copies copies;
    core::BatchId apart;
    QStringList refusing;
    TRY(m_shared.context.store.transact([&](store::Session &session) -> Result<> {
        outcomes = window.due();
        TRY(outcomes.isEmpty() ? Result<>{} : session.retries().writeOutcomes(run.batch.id, outcomes));
        TRY(apart, setRefusedApart(session, run, refusing));
        if (run.trouble || m_shared.context.stopping)
            return {};
        TRY(copies, writeIntents(session, run));
        return {};
    }));
    window.kept();
    run.refusing = false;
    if (apart.isValid())
        waitFor(apart, run.batch.operation, refusing);
    told(run, outcomes);
    window.load(std::move(copies.outgoing));
    return {};
}

// Moves all members for a destination that accepts nothing now, tried or not, into a batch of their own, where they
// wait; the rest of this batch continues. Sends in progress get their own answer.
Result<core::BatchId> Processor::setRefusedApart(store::Session &session, const IntentLogRun &run,
                                                 QStringList &refusing)
{
    if (!run.refusing)
        return core::BatchId{};
    TRY(const QList<store::RetryMember> members, session.retries().batchMembers(run.batch.id));
    QList<qint64> waiting;
    refusing.clear();
    for (const store::RetryMember &member : members) {
        const bool unsent = member.outcome == records::Outcome::Staged && !member.intent;
        if (!unsent || m_shared.resting.breaker().isMissing(member.destination)
            || m_shared.resting.breaker().refusal(member.destination).isEmpty())
            continue;
        waiting.append(member.ordinal);
        if (!refusing.contains(member.destination))
            refusing.append(member.destination);
    }
    return waiting.isEmpty() ? core::BatchId{}
                             : session.retries().setAside(run.batch.id, waiting, m_shared.context.session);
}

// Step recordIntents. Members that can never be sent are ejected here.
Result<Copies> Processor::writeIntents(store::Session &session, IntentLogRun &run)
{
    store::RetryStore &retries = session.retries();
    Copies copies;
    TRY(const records::RetryOperation operation, retries.operation(run.batch.operation));
    run.state = operation.state;
    run.onUnknown = operation.plan.onUnknown;
    run.slowed = records::largestBatch(operation.plan) < run.batch.stagedCount;
    run.dry = run.state != OperationState::Running || run.slowed;
    if (run.dry || run.window.room() == 0)
        return copies;
    TRY(const QList<qint64> ordinals, makeCopies(session, operation, run, copies));
    TRY(const QList<qint64> intents, retries.writeIntents(run.batch.id, ordinals));
    if (intents.size() < ordinals.size()) // some came back or were set aside since they were read
        copies.outgoing.removeIf([&](const broker::Outgoing &copy) { return !intents.contains(copy.ordinal); });
    QList<store::IntentOutcome> unfit;
    for (const store::MemberReason &member : std::as_const(copies.unfit))
        unfit.append({member.ordinal, End::Ejected, member.reason});
    TRY(unfit.isEmpty() ? Result<>{} : retries.writeOutcomes(run.batch.id, unfit));
    return copies;
}

// Makes the copies of the next members and returns their ordinals. The batch is read once, not for each step: a
// rolled-back step loses nothing, because the end is only believed when a new read finds nothing.
Result<QList<qint64>> Processor::makeCopies(store::Session &session, const records::RetryOperation &operation,
                                            IntentLogRun &run, Copies &copies)
{
    if (run.next >= run.unsent.size()) {
        TRY(run.unsent, session.retries().unsent(run.batch.id));
        run.next = 0;
    }
    run.dry = run.unsent.isEmpty();
    const qsizetype end = std::min(run.next + run.window.room(), run.unsent.size());
    QList<qint64> ordinals;
    qint64 bytes = 0;
    for (; run.next < end && bytes < stepBytes; ++run.next) {
        const store::RetryMember &member = run.unsent.at(run.next);
        TRY(addCopy(m_shared.context, session, operation, run.batch.stagingId, member, copies));
        ordinals.append(member.ordinal);
        if (!copies.outgoing.isEmpty())
            bytes += weight(copies.outgoing.last().envelope);
    }
    return ordinals;
}

// Keeps one call in progress as long as messages are loaded.
Task<> Processor::sendSome(std::shared_ptr<IntentLogRun> run)
{
    while (maySend(*run)) {
        const SendWindow::Call call = run->window.launch();
        QList<broker::Outgoing> messages = call.messages;
        ++m_sends;
        const QList<broker::SendOutcome> outcomes = co_await m_shared.context.broker.send(std::move(messages));
        --m_sends;
        sortOutcomes(*run, call.messages, outcomes);
        run->window.landed(call);
        run->window.wakeWhenDue(); // the code it resumes may end this run
        if (run->over)
            break;
    }
}

// Turns verdicts into outcomes. An unanswered message may have been accepted. On an unreliable line, one failed call
// alone ends nothing, unless the broker asks for time or refuses.
void Processor::sortOutcomes(IntentLogRun &run, const QList<broker::Outgoing> &messages,
                             const QList<broker::SendOutcome> &outcomes)
{
    std::optional<core::Error> trouble;
    bool progress = false;
    const broker::SendOutcome silence{Verdict::Unknown, core::Error{ErrorKind::UnknownOutcome, {}, {}, {}}};
    for (qsizetype i = 0; i < messages.size(); ++i) {
        const broker::Outgoing &message = messages.at(i);
        const broker::SendOutcome &outcome = i < outcomes.size() ? outcomes.at(i) : silence;
        switch (outcome.verdict) {
        case Verdict::Accepted:
            run.window.add({message.ordinal, End::Sent, {}});
            m_shared.resting.breaker().accepted(message.destination);
            progress = true;
            break;
        case Verdict::NoSuchDestination:
            m_shared.resting.breaker().refused(message.destination, outcome.error.message,
                                               DestinationCircuitBreaker::Cause::Missing);
            run.window.add({message.ordinal, End::Ejected, outcome.error.message});
            break;
        case Verdict::Rejected:
            run.window.add({message.ordinal, End::Ejected, outcome.error.message});
            break;
        case Verdict::Full: // other destinations continue; messages for this one are set aside in the next step
            m_shared.resting.breaker().refused(message.destination, outcome.error.message,
                                               DestinationCircuitBreaker::Cause::Refusing);
            run.window.add({message.ordinal, End::NotSent, {}});
            run.refusing = true;
            break;
        case Verdict::NotSent:
            run.window.add({message.ordinal, End::NotSent, {}});
            trouble = outcome.error;
            break;
        case Verdict::Unknown:
            if (m_shared.context.stopping)
                break; // the intent stays open: the next start runs an intake before it decides
            const bool again = run.onUnknown == records::OnUnknown::SendAgain;
            run.window.add({message.ordinal, again ? End::SendAgain : End::InDoubt,
                            Text::tr("The broker did not answer. It may have accepted the message.")});
            trouble = outcome.error;
            trouble->kind = ErrorKind::Transient;
            break;
        }
    }
    if (progress)
        m_shared.forwarding.resetBackoff();
    const bool failsAgain = run.window.failsAgain(trouble.has_value());
    if (trouble && (failsAgain || trouble->kind != ErrorKind::Transient || trouble->retryAfter.count() > 0))
        run.trouble = trouble;
}

// Reports outcomes that are on the disk now.
void Processor::told(const IntentLogRun &run, const QList<store::IntentOutcome> &outcomes)
{
    if (outcomes.isEmpty())
        return;
    const auto sent = std::count_if(outcomes.begin(), outcomes.end(),
                                    [](const store::IntentOutcome &outcome) { return outcome.end == End::Sent; });
    if (sent > 0)
        m_shared.context.progress.sent(run.batch.operation, sent);
    m_shared.context.progress.operationChanged(run.batch.operation);
}

// The broker's answers must not be lost while this process lives: storing them is tried until it succeeds.
Task<Result<>> Processor::keepOutcomes(std::shared_ptr<IntentLogRun> run)
{
    giveBack(*run);
    while (!run->window.due().isEmpty()) {
        const QList<store::IntentOutcome> outcomes = run->window.due();
        const Result<> kept = m_shared.context.store.transact(
            [&](store::Session &session) { return session.retries().writeOutcomes(run->batch.id, outcomes); });
        if (kept) {
            run->window.kept();
            told(*run, outcomes);
            break;
        }
        const bool goOn = co_await m_shared.forwarding.waitAfter(kept.error());
        if (!goOn)
            co_return kept;
    }
    co_return {};
}

// All is sent, or the operation is paused, cancelled or slower now: unsent members go back, or end here if it is
// cancelled.
Task<Result<>> Processor::endIntentLog(std::shared_ptr<IntentLogRun> run)
{
    const records::RetryBatch batch = run->batch;
    const OperationState state = run->state;
    if (state == OperationState::Paused || (state == OperationState::Running && run->slowed)) {
        const Result<> closed = m_shared.context.store.transact([&](store::Session &session) -> Result<> {
            TRY(session.retries().closeIntentLogBatch(batch.id, m_shared.context.session));
            TRY(session.evidence().sentUntil(batch.id, m_shared.context.clock.now()));
            return m_shared.finisher.finishIfEnded(session, batch.operation);
        });
        if (closed)
            m_shared.context.progress.operationChanged(batch.operation);
        co_return closed;
    }
    int rows = state == OperationState::Cancelled ? 1 : 0;
    while (rows > 0) { // in slices: a big set is too much for one transaction, and other work gets its turn
        CO_TRY(rows, m_shared.context.store.transact<int>([&](store::Session &session) {
            return session.retries().cancelMembers(batch.operation, core::limits::batchMembers);
        }));
        CO_TRY(co_await m_shared.forwarding.timers().sleep(core::Milliseconds{0}));
    }
    co_return finish(batch, {});
}

} // namespace retry
