#include "backend/retry/forwarding/forwarding.h"

#include "backend/retry/staging/attempt.h"
#include "backend/retry/text.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"

#include <algorithm>

namespace retry {

using core::ErrorKind;
using core::fail;
using records::RetryBatch;
using records::SendEnd;
using store::RetryMember;

static bool certainlyNotSent(const store::SendResult &member)
{
    return member.end == SendEnd::Ejected || member.end == SendEnd::NotAccepted;
}

Forwarding::Forwarding(SharedState &shared)
    : m_context(shared.context)
    , m_resting(shared.resting)
    , m_voidQueues(shared.voidQueues)
    , m_lane(shared.forwarding)
    , m_outcomes(shared)
    , m_intentLog(shared, m_outcomes)
{
}

Task<Result<bool>> Forwarding::forwardNext()
{
    CO_TRY(const std::optional<RetryBatch> batch,
           m_context.store.read<std::optional<RetryBatch>>(
               [&](store::Session &session) { return session.forwarding().nowForwarding(m_context.connection.id); }));
    if (!batch)
        co_return false;
    m_lane.workFor(batch->operation);
    CO_TRY(co_await m_context.ensureCapabilities());
    CO_TRY(co_await forwardBatch(*batch));
    co_return true;
}

// No conditional expression inside co_await: GCC 12 destroys the chosen task twice.
Task<Result<>> Forwarding::forwardBatch(const RetryBatch &batch)
{
    if (batch.place.isEmpty())
        return m_intentLog.send(batch);
    return forwardOnBroker(batch);
}

Task<Result<>> Forwarding::forwardOnBroker(RetryBatch batch)
{
    broker::StagingQueue *queue = m_context.broker.stagingQueue();
    if (queue == nullptr) {
        m_context.brokerState.rightsMayHaveChanged();
        co_return fail(ErrorKind::Transient,
                       Text::tr("A staging queue holds copies that this account cannot forward now."));
    }
    CO_TRY(const QList<RetryMember> members, membersOf(batch.id));
    broker::ForwardRequest request;
    request.place.name = batch.place;
    request.place.destinations = destinationsOf(members);
    request.mark = batch.mark;
    request.staged = batch.stagedCount;
    CO_TRY(const bool isEnded, co_await endCancelled(batch, request));
    if (isEnded)
        co_return {};
    bool hasMark = !batch.mark.isEmpty();
    const broker::ForwardHooks hooks = hooksFor(batch, hasMark);
    const Result<broker::ForwardReport> forwarded = co_await queue->forward(request, hooks);
    Result<BatchEnd> end;
    if (forwarded) {
        end = endOf(batch, *forwarded);
    } else if (forwarded.error().kind == ErrorKind::NotFound) {
        // Nobody can tell what was forwarded before the staging queue disappeared. Nothing of ours may send from it any
        // more.
        CO_TRY(co_await queue->discard(request.place));
        end = hasMark ? endOfVanished(batch) : allAgain(batch);
    } else {
        co_return fail(forwarded.error());
    }
    if (!end)
        co_return fail(end.error());
    CO_TRY(m_outcomes.record(batch, *end));
    m_endsBatch = true; // whoever waits for the end of the operation sees it from here on
    if (std::any_of(end->members.cbegin(), end->members.cend(), certainlyNotSent))
        co_await m_resting.checkDestinations(); // right after the refusal, the broker best tells which are missing
    co_await m_voidQueues.remove(batch.place); // recordOutcomes is on the disk: now it may be removed
    m_endsBatch = false;
    co_return {};
}

// Whatever keeps the broker from forwarding it must not keep a person from cancelling it.
Task<Result<bool>> Forwarding::endCancelled(RetryBatch batch, broker::ForwardRequest request)
{
    CO_TRY(const records::RetryOperation operation,
           m_context.store.read<records::RetryOperation>(
               [&](store::Session &session) { return session.retryOperations().load(batch.operation); }));
    broker::StagingQueue *queue = m_context.broker.stagingQueue();
    if (operation.state != records::OperationState::Cancelled || queue == nullptr)
        co_return false;
    CO_TRY(const bool isWithdrawn, co_await queue->withdraw(request));
    if (!isWithdrawn)
        co_return false;
    CO_TRY(const BatchEnd end, allAgain(batch)); // as Claimed they are cancelled like the others
    CO_TRY(m_outcomes.record(batch, end));
    co_return true;
}

// Nothing of the batch was forwarded.
Result<BatchEnd> Forwarding::allAgain(const RetryBatch &batch)
{
    TRY(const QList<RetryMember> members, membersOf(batch.id));
    BatchEnd end;
    for (const RetryMember &member : members) {
        if (member.outcome == records::Outcome::Staged)
            end.members.append({member.ordinal, SendEnd::NotAccepted});
    }
    return end;
}

// `hasMark` outlives the hooks.
broker::ForwardHooks Forwarding::hooksFor(const RetryBatch &batch, bool &hasMark)
{
    broker::ForwardHooks hooks;
    hooks.keepMark = [this, id = batch.id, &hasMark](const QString &mark) {
        hasMark = true;
        return m_context.store.transact(
            [&](store::Session &session) { return session.forwarding().keepMark(id, mark); });
    };
    hooks.progress = [this, batch](qint64 remaining) {
        const qint64 forwarded = std::max<qint64>(0, batch.stagedCount - remaining);
        m_context.progress.batchMoved(BatchProgress{batch.id, batch.operation, batch.stagedCount, forwarded});
    };
    hooks.waiting = [this](const QString &reason) { m_lane.setReason(reason); };
    return hooks;
}

Result<QList<RetryMember>> Forwarding::membersOf(core::BatchId batch)
{
    return m_context.store.read<QList<RetryMember>>(
        [&](store::Session &session) { return session.retryBatches().membersOf(batch); });
}

// Maps unique ids to members. Copies of another batch or staging id are ignored.
Result<BatchEnd> Forwarding::endOf(const RetryBatch &batch, const broker::ForwardReport &report)
{
    TRY(const QList<RetryMember> members, membersOf(batch.id));
    QHash<QString, RetryMember> byId;
    for (const RetryMember &member : members)
        byId.insert(member.uniqueId, member);

    BatchEnd end;
    end.isInterrupted = report.interrupted || !report.lost.isEmpty();
    // A copy may be returned twice: the first report counts.
    const auto takeNamed = [&](const broker::Returned &returned) -> std::optional<RetryMember> {
        const auto member = byId.constFind(returned.uniqueId);
        if (member == byId.constEnd() || returned.stagingId != batch.stagingId)
            return std::nullopt;
        return byId.take(returned.uniqueId);
    };
    for (const broker::Returned &returned : report.ejected) {
        const std::optional<RetryMember> member = takeNamed(returned);
        if (member)
            addRefusal(end, *member, returned.reason);
    }
    for (const broker::Returned &returned : report.kept) {
        const std::optional<RetryMember> member = takeNamed(returned);
        if (member)
            addRefusal(end, *member, returned.reason, true);
    }
    for (const broker::Returned &returned : report.inDoubt) {
        const std::optional<RetryMember> member = takeNamed(returned);
        if (member)
            end.members.append({member->ordinal, SendEnd::Unanswered, returned.reason});
    }
    for (const RetryMember &sent : std::as_const(byId)) {
        if (sent.outcome == records::Outcome::Staged && !report.lost.isEmpty())
            end.members.append({sent.ordinal, SendEnd::Unanswered, report.lost});
        else if (sent.outcome == records::Outcome::Staged && !end.refusing.contains(sent.destination))
            end.accepting.append(sent.destination);
    }
    return end;
}

void Forwarding::addRefusal(BatchEnd &end, const RetryMember &member, const QString &reason, bool isKept) const
{
    if (end.isInterrupted) {
        end.members.append(
            {member.ordinal, SendEnd::Ejected,
             Text::tr("%1 The broker was interrupted before that, so an earlier copy may have arrived.").arg(reason)});
    } else if (isKept || m_resting.breaker().isOnTrial(member.destination)) {
        end.members.append({member.ordinal, SendEnd::NotAccepted});
    } else {
        end.members.append({member.ordinal, SendEnd::Ejected, reason});
    }
    end.refusing.insert(member.destination, reason);
}

Result<BatchEnd> Forwarding::endOfVanished(const RetryBatch &batch)
{
    TRY(const QList<RetryMember> members, membersOf(batch.id));
    BatchEnd end;
    end.isInterrupted = true; // nobody can tell any more whether the broker was interrupted before
    for (const RetryMember &member : members) {
        if (member.outcome == records::Outcome::Staged)
            end.members.append({member.ordinal, SendEnd::Unanswered,
                                Text::tr("The staging queue disappeared while it was forwarded.")});
    }
    return end;
}

} // namespace retry
