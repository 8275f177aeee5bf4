// Forwarding by the broker itself, and step recordOutcomes for staging queues and for the end of an intent-log batch.
#include "backend/core/limits.h"
#include "backend/retry/processor.h"
#include "backend/retry/text.h"
#include "backend/store/evidencestore.h"
#include "backend/store/retrystore.h"

namespace retry {

using core::ErrorKind;
using core::fail;

Result<std::optional<records::RetryBatch>> Processor::nowForwarding()
{
    return m_shared.context.store.read<std::optional<records::RetryBatch>>(
        [&](store::Session &session) { return session.retries().nowForwarding(m_shared.context.connection.id); });
}

// One step of the forwarding lane: forwards the batch that the pointer names, to its end. False: there is none.
Task<Result<bool>> Processor::forwardNext()
{
    CO_TRY(const std::optional<records::RetryBatch> batch, nowForwarding());
    if (!batch)
        co_return false;
    m_shared.forwarding.workFor(batch->operation);
    CO_TRY(co_await m_shared.context.ensureCapabilities());
    CO_TRY(co_await forwardBatch(*batch));
    co_return true;
}

// No conditional expression inside co_await: GCC 12 destroys the chosen task twice.
Task<Result<>> Processor::forwardBatch(const records::RetryBatch &batch)
{
    if (batch.place.isEmpty())
        return forwardIntentLog(batch);
    return forwardOnBroker(batch);
}

Task<Result<>> Processor::forwardOnBroker(records::RetryBatch batch)
{
    broker::StagingQueue *queue = m_shared.context.broker.stagingQueue();
    if (queue == nullptr) {
        m_shared.context.capabilities.reset();
        co_return fail(ErrorKind::Transient,
                       Text::tr("A staging queue holds copies that this account cannot forward now."));
    }
    CO_TRY(const broker::StagingPlace place, placeOf(batch));
    broker::ForwardRequest request;
    request.place = place;
    request.mark = batch.mark;
    broker::ForwardHooks hooks;
    hooks.keepMark = [this, id = batch.id](const QString &mark) {
        return m_shared.context.store.transact(
            [&](store::Session &session) { return session.retries().keepMark(id, mark); });
    };
    hooks.progress = [this, batch](qint64 remaining) {
        report(batch, batch.stagedCount, std::max<qint64>(0, batch.stagedCount - remaining));
    };
    hooks.waiting = [this, batch](const QString &reason) { m_shared.forwarding.setReason(reason); };

    const Result<broker::ForwardReport> forwarded = co_await queue->forward(request, hooks);
    Result<Ending> ending;
    if (forwarded) {
        ending = endOf(batch, *forwarded);
    } else if (forwarded.error().kind == ErrorKind::NotFound) {
        // Nobody can tell what was forwarded before the staging queue disappeared. Nothing of ours may send from it any
        // more.
        CO_TRY(co_await queue->discard(place));
        ending = vanished(batch);
    } else {
        co_return fail(forwarded.error());
    }
    if (!ending)
        co_return fail(ending.error());
    CO_TRY(finish(batch, *ending));
    if (!ending->end.ejected.isEmpty() || !ending->onTrial.isEmpty())
        co_await m_shared.resting
            .checkDestinations(); // right after the refusal, the broker best tells which destinations are missing
    m_shared.voidQueues.add(batch.place); // recordOutcomes is on the disk: now it may be removed
    const Result<> gone = co_await queue->discard(place);
    if (gone)
        m_shared.voidQueues.forget(batch.place);
    co_return {};
}

Result<broker::StagingPlace> Processor::placeOf(const records::RetryBatch &batch)
{
    TRY(const QList<store::RetryMember> members, membersOf(batch.id));
    broker::StagingPlace place;
    place.name = batch.place;
    for (const store::RetryMember &member : members) {
        if (!place.destinations.contains(member.destination))
            place.destinations.append(member.destination);
    }
    return place;
}

// Maps unique ids to members. Copies of another batch or staging id are ignored.
Result<Processor::Ending> Processor::endOf(const records::RetryBatch &batch, const broker::ForwardReport &report)
{
    TRY(const QList<store::RetryMember> members, membersOf(batch.id));
    QHash<QString, store::RetryMember> byId;
    for (const store::RetryMember &member : members)
        byId.insert(member.uniqueId, member);

    Ending ending;
    ending.end.possibleDuplicates = report.interrupted;
    // A copy may be returned twice: the first report counts.
    const auto takeNamed = [&](const broker::Returned &returned) -> std::optional<store::RetryMember> {
        const auto member = byId.constFind(returned.uniqueId);
        if (member == byId.constEnd() || returned.stagingId != batch.stagingId)
            return std::nullopt;
        return byId.take(returned.uniqueId);
    };
    for (const broker::Returned &returned : report.ejected) {
        const std::optional<store::RetryMember> member = takeNamed(returned);
        if (!member)
            continue;
        if (report.interrupted)
            ending.end.ejected.append(
                {member->ordinal,
                 Text::tr("%1 The broker was interrupted before that, so an earlier copy may have arrived.")
                     .arg(returned.reason)});
        else if (m_shared.resting.breaker().isOnTrial(member->destination))
            ending.onTrial.append(member->ordinal);
        else
            ending.end.ejected.append({member->ordinal, returned.reason});
        ending.refusing.insert(member->destination, returned.reason);
    }
    for (const broker::Returned &returned : report.inDoubt) {
        const std::optional<store::RetryMember> member = takeNamed(returned);
        if (member)
            ending.end.inDoubt.append({member->ordinal, returned.reason});
    }
    for (const store::RetryMember &sent : std::as_const(byId)) {
        if (sent.outcome == records::Outcome::Staged && !ending.refusing.contains(sent.destination))
            ending.accepting.append(sent.destination);
    }
    return ending;
}

// To be called after recordOutcomes is on the disk: a repeated pass must not mistake a trial copy for a first refusal.
void Processor::learn(const Ending &ending)
{
    for (const QString &destination : ending.accepting)
        m_shared.resting.breaker().accepted(destination);
    for (auto refusal = ending.refusing.cbegin(); refusal != ending.refusing.cend(); ++refusal)
        m_shared.resting.breaker().refused(refusal.key(), refusal.value(), DestinationCircuitBreaker::Cause::Refusing);
}

Result<QList<store::RetryMember>> Processor::membersOf(core::BatchId batch)
{
    return m_shared.context.store.read<QList<store::RetryMember>>(
        [&](store::Session &session) { return session.retries().batchMembers(batch); });
}

Result<Processor::Ending> Processor::vanished(const records::RetryBatch &batch)
{
    TRY(const QList<store::RetryMember> members, membersOf(batch.id));
    Ending ending;
    ending.end.possibleDuplicates = true; // nobody can tell any more whether the broker was interrupted before
    for (const store::RetryMember &member : members) {
        if (member.outcome == records::Outcome::Staged)
            ending.end.inDoubt.append(
                {member.ordinal, Text::tr("The staging queue disappeared while it was forwarded.")});
    }
    return ending;
}

// Step recordOutcomes. If the plan says so, the same transaction moves members in doubt into a batch of their own, to
// be sent again.
Result<> Processor::finish(const records::RetryBatch &batch, const Ending &ending)
{
    const store::BatchEnd &end = ending.end;
    qint64 sent = 0;
    core::BatchId apart;
    TRY(m_shared.context.store.transact([&](store::Session &session) -> Result<> {
        store::RetryStore &retries = session.retries();
        TRY(const records::RetryOperation before, retries.operation(batch.operation));
        if (!ending.onTrial.isEmpty()) {
            TRY(apart, retries.setAside(batch.id, ending.onTrial, m_shared.context.session));
        }
        TRY(retries.finishForwarding(batch.id, end));
        TRY(session.evidence().sentUntil(batch.id, m_shared.context.clock.now()));
        TRY(const records::RetryOperation after, retries.operation(batch.operation));
        sent = after.counts.sent - before.counts.sent;
        QList<store::MemberReason> doubtful = end.inDoubt;
        if (end.possibleDuplicates)
            doubtful += end.ejected; // an earlier copy may have arrived
        const bool again = before.plan.onUnknown == records::OnUnknown::SendAgain
                           && before.state != records::OperationState::Cancelled && !doubtful.isEmpty();
        if (again) {
            QList<qint64> ordinals;
            for (const store::MemberReason &member : std::as_const(doubtful))
                ordinals.append(member.ordinal);
            TRY(retries.sendAgain(batch.operation, ordinals, m_shared.context.session));
        }
        return m_shared.finisher.finishIfEnded(session, batch.operation);
    }));
    learn(ending);
    if (apart.isValid())
        waitFor(apart, batch.operation, ending.refusing.keys());
    report(batch, batch.stagedCount, batch.stagedCount);
    if (sent > 0)
        m_shared.context.progress.sent(batch.operation, sent);
    m_shared.context.progress.operationChanged(batch.operation);
    m_shared.staging.timers().wake();
    return {};
}

} // namespace retry
