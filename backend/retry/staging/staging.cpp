#include "backend/retry/staging/staging.h"

#include "backend/core/limits.h"
#include "backend/records/ledger/operationlife.h"
#include "backend/retry/text.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/retry/stagingstore.h"

#include <algorithm>

namespace retry {

using core::ErrorKind;
using core::fail;
using records::OperationState;
using records::RetryBatch;
using records::RetryOperation;

namespace {

bool isHeld(OperationState state)
{
    return state == OperationState::Paused || state == OperationState::Cancelled;
}

// Messages that were refused before come first and one by one: they are the ones that may end this attempt.
void putRefusedFirst(Attempt &attempt)
{
    if (!attempt.operation.plan.keepOrder)
        std::stable_sort(attempt.members.begin(), attempt.members.end(),
                         [](const auto &a, const auto &b) { return a.stageAttempts > b.stageAttempts; });
    attempt.singly = !attempt.members.isEmpty() && attempt.members.first().stageAttempts > 0;
}

} // namespace

Staging::Staging(SharedState &shared, Marking &marking)
    : m_context(shared.context)
    , m_gates(shared.gates)
    , m_resting(shared.resting)
    , m_reasons(shared.reasons)
    , m_finisher(shared.finisher)
    , m_voidQueues(shared.voidQueues)
    , m_lane(shared.staging)
    , m_forwardingLane(shared.forwarding)
    , m_marking(marking)
    , m_filler(shared, marking)
{
}

// What must be known about the broker before anything is staged there.
Task<Result<>> Staging::prepareBroker()
{
    CO_TRY(co_await m_context.ensureCapabilities());
    co_await m_gates.measureBroker();
    const Result<> found = co_await m_voidQueues.findLeftovers();
    co_return found;
}

Task<Result<bool>> Staging::stageNext()
{
    m_gates.beginRound();
    const Result<> ready = co_await prepareBroker();
    if (!ready) {
        m_lane.workFor({}); // every operation waits for this, not only the one served last
        co_return fail(ready.error());
    }
    if (m_lane.waitsForAll())
        m_lane.setReason({});
    co_await m_voidQueues.removeAll();
    if (!m_context.brokerState.isCurrent())
        co_return true; // the other lane was refused meanwhile: probe again
    const Result<bool> prepared = cancelOrMark();
    if (!prepared || *prepared)
        co_return prepared;
    Result<std::optional<RetryBatch>> next = m_marking.nextToStage(m_lastServed);
    storeGateReasons();
    if (next && m_resting.breaker().isOpen() && (*next || !m_resting.isEmpty())) {
        co_await m_resting.checkDestinations();
        if (!m_context.brokerState.isCurrent())
            co_return true; // as above
        next = m_marking.nextToStage(m_lastServed);
    }
    if (!next)
        co_return fail(next.error());
    if (!*next)
        co_return false;
    RetryBatch batch = **next;
    m_lastServed = batch.operation;
    m_lane.workFor(m_lastServed);
    CO_TRY(co_await stage(std::move(batch)));
    co_return true;
}

// What needs no broker. True: something was done, so that other lanes and the window get their turn.
Result<bool> Staging::cancelOrMark()
{
    const Result<bool> cancelled = m_finisher.cancelSlice();
    if (!cancelled || *cancelled)
        return cancelled;
    TRY(m_marking.finishOwnClaims()); // a transaction may have failed in the middle of step claim
    return m_marking.markNext();
}

void Staging::storeGateReasons()
{
    const QList<core::OperationId> changed = m_gates.takeChangedReasons();
    for (const core::OperationId operation : changed)
        m_reasons.store(operation);
}

Task<Result<>> Staging::stage(RetryBatch batch)
{
    CO_TRY(Attempt attempt, nameStaging(std::move(batch)));
    if (attempt.members.isEmpty())
        co_return {}; // nothing is left to send: the batch is Done, or it rests
    m_gates.begun(attempt.operation);
    if (!attempt.place.name.isEmpty()) {
        const Result<> staged = co_await stageOnBroker(&attempt);
        co_await m_voidQueues.removeAll();
        co_return staged;
    }
    CO_TRY(const bool free, co_await waitForPointer(&attempt));
    if (!free)
        co_return {};
    co_return commitStaged(attempt, int(attempt.members.size()));
}

Task<Result<>> Staging::stageOnBroker(Attempt *attempt)
{
    m_voidQueues.add(attempt->place.name); // until commitStaged
    CO_TRY(co_await m_filler.open(attempt));
    CO_TRY(const bool isOpen, co_await openWays(attempt));
    if (!isOpen)
        co_return {}; // the place is void
    const Result<int> staged = co_await m_filler.fill(attempt);
    if (!staged) {
        // The broker refused one message: the batch is staged one by one, at once and under a new name.
        if (staged.error().kind == ErrorKind::Rejected)
            co_return {};
        co_return fail(staged.error());
    }
    m_lane.setReason({});
    CO_TRY(const bool free, co_await waitForPointer(attempt));
    if (!free)
        co_return {}; // the place is void
    CO_TRY(co_await m_filler.checkCount(attempt, *staged));
    const Result<> committed = commitStaged(*attempt, *staged);
    // The store may say that this place is being forwarded, so only the next start decides about it.
    if (!committed && committed.error().kind == ErrorKind::StoreFailed)
        m_voidQueues.forget(attempt->place.name);
    co_return committed;
}

Task<Result<bool>> Staging::openWays(const Attempt *attempt)
{
    CO_TRY(const QList<broker::Unreachable> unreachable, co_await m_filler.openWays(attempt));
    if (unreachable.isEmpty())
        co_return true;
    CO_TRY(leaveOut(*attempt, unreachable));
    co_return false;
}

// One destination without a way must not hold the others: before commitStaged its messages can still leave the batch. A missing right
// or a clear refusal ends them with the reason; anything else may pass, so they wait.
Result<> Staging::leaveOut(const Attempt &attempt, const QList<broker::Unreachable> &unreachable)
{
    QList<store::MemberReason> ejected;
    for (const broker::Unreachable &one : unreachable) {
        const QString reason = Text::tr("Nothing can be sent to %1: %2").arg(one.destination, one.error.message);
        if (one.error.kind != ErrorKind::Unauthorized && one.error.kind != ErrorKind::Rejected) {
            m_resting.breaker().refused(one.destination, reason, DestinationCircuitBreaker::Cause::Refusing);
            continue;
        }
        m_resting.breaker().accepted(one.destination); // what rests for it need not wait for this answer
        for (const store::RetryMember &member : attempt.members) {
            if (member.destination == one.destination)
                ejected.append({member.ordinal, reason});
        }
    }
    if (ejected.isEmpty())
        return {};
    TRY(m_context.store.transact(
        [&](store::Session &session) { return session.staging().eject(attempt.batch.id, ejected); }));
    m_context.progress.operationChanged(attempt.batch.operation);
    return {};
}

// True: this batch may be forwarded. False: its operation was paused or cancelled meanwhile, or its members must be
// chosen again.
Task<Result<bool>> Staging::waitForPointer(const Attempt *attempt)
{
    while (true) {
        bool free = false;
        bool held = false;
        CO_TRY(m_context.store.read([&](store::Session &session) -> Result<> {
            TRY(const std::optional<RetryBatch> now, session.forwarding().nowForwarding(m_context.connection.id));
            free = !now.has_value();
            TRY(const RetryOperation mine, session.retryOperations().load(attempt->batch.operation));
            held = isHeld(mine.state);
            return {};
        }));
        if (held)
            co_return false;
        if (free)
            co_return !m_resting.isOutOfDate(*attempt);
        CO_TRY(co_await m_lane.timers().sleepOrWake(core::limits::idleTick));
    }
}

// Step nameStaging: the name is in the store before anything of that name is on the broker.
Result<Attempt> Staging::nameStaging(RetryBatch batch)
{
    Attempt attempt;
    attempt.batch = std::move(batch);
    attempt.batch.stagingId = m_context.random.hexId();
    if (m_context.capabilities().handOver == records::HandOver::StagingQueue) {
        attempt.place.name = QStringLiteral("redrive.%1.%2.%3")
                                 .arg(m_context.store.storeId())
                                 .arg(m_context.store.fence())
                                 .arg(attempt.batch.stagingId);
    }
    attempt.judged = m_resting.breaker().changes();
    m_resting.remove(attempt.batch.id);
    RestingBatches::KeptOut out;
    core::BatchId apart;
    TRY(m_context.store.transact([&](store::Session &session) -> Result<> {
        TRY(out, chooseMembers(session, attempt));
        TRY(apart, m_resting.setApart(session, attempt, out));
        if (!attempt.members.isEmpty() || apart.isValid())
            return {};
        TRY(session.staging().finishEmpty(attempt.batch.id));
        return m_finisher.finishIfEnded(session, attempt.batch.operation);
    }));
    for (const QString &destination : std::as_const(out.trials))
        m_resting.breaker().beginTrial(destination);
    if (apart.isValid()) {
        m_resting.add(apart, attempt.batch.operation, out.destinations);
        m_reasons.store(attempt.batch.operation);
    }
    putRefusedFirst(attempt);
    const QStringList destinations = destinationsOf(attempt.members);
    if (!attempt.place.name.isEmpty())
        attempt.place.destinations = destinations;
    m_context.progress.aimed(attempt.batch.operation, destinations);
    if (attempt.members.isEmpty())
        m_context.progress.operationChanged(attempt.batch.operation);
    return attempt;
}

// The members of the batch that this attempt sends; the others are ejected or returned.
Result<RestingBatches::KeptOut> Staging::chooseMembers(store::Session &session, Attempt &attempt)
{
    TRY(attempt.operation, session.retryOperations().load(attempt.batch.operation));
    TRY(attempt.members, session.staging().nameStaging(attempt.batch.id, attempt.batch.stagingId, attempt.place.name));
    TRY(setExcessAside(session, attempt));
    const RestingBatches::KeptOut out = m_resting.keepOut(attempt);
    TRY(out.missing.isEmpty() ? Result<>{} : session.staging().eject(attempt.batch.id, out.missing));
    return out;
}

// The batch may be older than the rate of its operation, or larger than the room at a destination: the other members wait
// in a batch of their own. The room comes first: otherwise the share could be members without room alone, and nothing
// would ever go.
Result<> Staging::setExcessAside(store::Session &session, Attempt &attempt)
{
    TRY(QList<qint64> later, m_gates.beyondRoom(session, attempt.operation, attempt.members));
    const QSet<qint64> beyond(later.cbegin(), later.cend());
    attempt.members.removeIf([&](const store::RetryMember &member) { return beyond.contains(member.ordinal); });
    const qsizetype share = records::largestBatch(attempt.operation.plan);
    for (const store::RetryMember &member : attempt.members.mid(share))
        later.append(member.ordinal);
    attempt.members = attempt.members.mid(0, share);
    if (later.isEmpty())
        return {};
    TRY(session.staging().setAside(attempt.batch.id, later, m_context.session));
    return {};
}

// Step commitStaged. It commits nothing if the operation was paused, cancelled or slowed down meanwhile.
Result<> Staging::commitStaged(const Attempt &attempt, int staged)
{
    bool held = false;
    RetryOperation operation;
    TRY(m_context.store.transact([&](store::Session &session) -> Result<> {
        TRY(operation, session.retryOperations().load(attempt.batch.operation));
        // If a lower rate was set meanwhile, the batch is cut and named again.
        held = isHeld(operation.state) || staged > records::largestBatch(operation.plan);
        return held ? Result<>{} : beginForwarding(session, attempt, staged, operation);
    }));
    if (held)
        return {};
    m_context.progress.operationChanged(attempt.batch.operation);
    if (staged > 0)
        handedOver(attempt, operation, staged);
    return {};
}

Result<> Staging::beginForwarding(store::Session &session, const Attempt &attempt, int staged, RetryOperation operation)
{
    const core::BatchId batch = attempt.batch.id;
    if (staged == 0) {
        TRY(session.staging().finishEmpty(batch));
        return m_finisher.finishIfEnded(session, operation.id);
    }
    TRY(session.staging().beginForwarding(batch, attempt.batch.stagingId, staged));
    TRY(session.evidence().sendingFrom(batch, m_context.clock.now()));
    if (operation.state == OperationState::Running)
        return {};
    return session.retryOperations().update(records::running(std::move(operation)));
}

// commitStaged is on the disk.
void Staging::handedOver(const Attempt &attempt, const RetryOperation &operation, int staged)
{
    m_gates.handedOver(operation, attempt, staged);
    m_voidQueues.forget(attempt.place.name);
    if (attempt.place.name.isEmpty()) // in the intent log, the members count as copies
        m_context.progress.staged(attempt.batch.operation, staged);
    m_context.progress.batchMoved(BatchProgress{attempt.batch.id, attempt.batch.operation, staged, 0});
    m_forwardingLane.timers().wake();
}

} // namespace retry
