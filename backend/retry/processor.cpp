#include "backend/retry/processor.h"

#include "backend/core/limits.h"
#include "backend/retry/states.h"
#include "backend/retry/text.h"
#include "backend/store/retrystore.h"

namespace retry {

using core::ErrorKind;
using core::fail;
using records::OperationState;

Processor::Processor(records::Connection connection, ProcessorDependencies parts)
    : m_connection(std::move(connection))
    , m_dependencies(std::move(parts))
    , m_staging(m_dependencies.clock)
    , m_forwarding(m_dependencies.clock)
    , m_breaker(m_dependencies.clock, core::limits::backoffCap)
    , m_rateLimiter(m_dependencies.clock)
    , m_rampGate(m_dependencies.clock)
    , m_backpressure(m_dependencies.clock)
    , m_since(m_dependencies.clock.steady())
{
}

Processor::~Processor()
{
    Q_ASSERT(!m_running);
}

void Processor::start()
{
    Q_ASSERT(!m_task);
    m_running = true;
    m_task = run();
}

void Processor::stop()
{
    m_stopping = true;
    m_staging.timers.cancelAll();
    m_forwarding.timers.cancelAll();
}

void Processor::wake()
{
    if (m_staging.waitsForAll())
        sayToAll(); // new operations learn the reason now: the next try may take a while
    m_staging.timers.wake();
    m_forwarding.timers.wake();
}

Task<> Processor::run()
{
    bool goOn = true;
    while (goOn && !m_stopping) {
        const Result<> recovered = co_await recover();
        if (recovered)
            break;
        goOn = co_await waitAfter(recovered.error(), &m_staging);
    }
    if (goOn && !m_stopping) {
        const Task<> staging = stagingLane();
        const Task<> forwarding = forwardingLane();
        co_await staging;
        co_await forwarding;
    }
    m_running = false;
    m_ended.resolve(true);
}

Task<> Processor::stagingLane()
{
    while (!m_stopping) {
        const Result<bool> worked = co_await stageNext();
        if (!worked) {
            const bool goOn = co_await waitAfter(worked.error(), &m_staging);
            if (!goOn)
                break;
            continue;
        }
        m_staging.backoff.reset();
        say(m_staging, {}, {});
        // Also after work, so that other lanes and the window get their turn between two batches.
        const Result<> slept = co_await m_staging.timers.sleepOrWake(*worked ? core::Milliseconds{0} : m_untilDue);
        if (!slept)
            break;
    }
}

Task<> Processor::forwardingLane()
{
    while (!m_stopping) {
        const Result<bool> worked = co_await forwardNext();
        if (!worked) {
            const bool goOn = co_await waitAfter(worked.error(), &m_forwarding);
            if (!goOn)
                break;
            continue;
        }
        m_forwarding.backoff.reset();
        say(m_forwarding, {}, {});
        if (*worked) {
            m_staging.timers.wake(); // the pointer is free
            continue;
        }
        const Result<> slept = co_await m_forwarding.timers.sleepOrWake(core::limits::idleTick);
        if (!slept)
            break;
    }
}

Task<Result<>> Processor::ensureCapabilities()
{
    if (m_capabilities)
        co_return {};
    const Result<broker::Capabilities> probed = co_await m_dependencies.broker.probe();
    if (!probed)
        co_return fail(m_dependencies.explain ? m_dependencies.explain(probed.error()) : probed.error());
    if (probed->handOver == records::HandOver::None) {
        co_return fail(ErrorKind::Unauthorized,
                       Text::tr("This account cannot send messages back. Missing or limited: %1.")
                           .arg(probed->missing.join(u"; ")));
    }
    m_capabilities = *probed;
    co_return {};
}

Task<bool> Processor::waitAfter(core::Error error, Lane *lane)
{
    if (m_stopping || error.kind == ErrorKind::Cancelled || error.kind == ErrorKind::StoreFailed)
        co_return false;
    if (error.kind == ErrorKind::Unauthorized)
        m_capabilities.reset(); // rights may have changed: probe again
    constexpr core::Milliseconds longest = core::limits::backoffCap;
    const core::Milliseconds asked = error.retryAfter; // the broker asked for this: nothing shortens it
    const core::Milliseconds wait = std::min(lane->backoff.next(m_dependencies.random, core::Milliseconds{1}), longest);
    say(*lane, lane->operation, error.message);
    for (core::Milliseconds left = asked; left.count() > 0; left -= longest) {
        const Result<> slept = co_await lane->timers.sleep(std::min(left, longest));
        if (!slept)
            co_return false;
        static_cast<void>(cancelSome()); // it needs no broker; an error comes up again later
    }
    if (wait > asked) {
        const Result<> slept = co_await lane->timers.sleepOrWake(wait - asked);
        co_return slept.has_value();
    }
    co_return true;
}

void Processor::say(Lane &lane, core::OperationId operation, const QString &reason)
{
    const core::OperationId before = lane.operation;
    const bool toldAll = lane.waitsForAll();
    lane.reason = reason;
    lane.operation = operation;
    if (toldAll || lane.waitsForAll())
        sayToAll();
    if (before.isValid() && before != operation)
        storeReason(before);
    if (operation.isValid())
        storeReason(operation);
}

// Switches the lane to this operation, or to all. The reason of the same operation stays until it moves; the reason of
// another one is not shown for it.
void Processor::serve(Lane &lane, core::OperationId operation)
{
    if (lane.operation != operation)
        say(lane, operation, {});
}

void Processor::sayToAll()
{
    QList<core::OperationId> waiting;
    const Result<> looked = m_dependencies.store.read([&](store::Session &session) -> Result<> {
        TRY(const QList<records::RetryOperation> operations, session.retries().unfinished(m_connection.id));
        for (const records::RetryOperation &operation : operations) {
            if (mayGoOn(operation.state))
                waiting.append(operation.id);
        }
        return {};
    });
    if (!looked)
        return; // the reason is stored with the next change
    for (const core::OperationId id : std::as_const(waiting))
        storeReason(id);
}

// The reason of the forwarding lane comes first, because it is nearer to the end.
void Processor::storeReason(core::OperationId id)
{
    QString reason;
    for (const Lane *lane : {&m_forwarding, &m_staging}) {
        if ((lane->operation == id || lane->waitsForAll()) && reason.isEmpty())
            reason = lane->reason;
    }
    if (reason.isEmpty())
        reason = restingReason(id);
    if (reason.isEmpty())
        reason = m_heldBack.value(id);
    if (m_reasons.contains(id) && m_reasons.value(id) == reason)
        return;
    const Result<> stored = m_dependencies.store.transact([&](store::Session &session) -> Result<> {
        TRY(records::RetryOperation operation, session.retries().operation(id));
        const bool outOfDate = !mayGoOn(operation.state) && reason == m_heldBack.value(id);
        operation.waitingReason = outOfDate ? QString() : reason;
        return session.retries().updateOperation(operation);
    });
    if (!stored)
        return; // stored again with the next change; sending does not depend on it
    m_reasons.insert(id, reason);
    m_dependencies.progress.operationChanged(id);
}

Result<> Processor::finishIfEnded(store::Session &session, core::OperationId id)
{
    TRY(records::RetryOperation operation, session.retries().operation(id));
    const records::OutcomeCounts &counts = operation.counts;
    if (operation.finished || counts.pending + counts.claimed + counts.staged > 0)
        return {};
    if (operation.state != OperationState::Cancelled)
        operation.state = OperationState::Completed;
    operation.finished = m_dependencies.clock.now();
    operation.waitingReason.clear();
    operation.endPause(*operation.finished);
    m_rateLimiter.forget(id);
    m_rampGate.forget(id);
    return session.retries().updateOperation(operation);
}

Result<> Processor::change(core::OperationId id, StateChange change, const QString &who)
{
    const Result<> changed = m_dependencies.store.transact([&](store::Session &session) -> Result<> {
        TRY(changeState(session, id, change, m_dependencies.clock.now(), who));
        return finishIfEnded(session, id);
    });
    if (changed)
        stateChanged(id);
    return changed;
}

void Processor::stateChanged(core::OperationId id)
{
    m_reasons.remove(id);
    m_heldBack.remove(id);
    m_dependencies.progress.operationChanged(id);
    wake();
}

Result<> Processor::setPerMinute(core::OperationId operation, std::optional<qint64> perMinute)
{
    const Result<> changed = m_dependencies.store.transact(
        [&](store::Session &session) { return session.retries().setPerMinute(operation, perMinute); });
    if (changed) {
        m_dependencies.progress.operationChanged(operation);
        wake();
    }
    return changed;
}

Result<> Processor::assumeSent(core::OperationId operation, QList<qint64> ordinals)
{
    return settle(operation, ordinals, false);
}

Result<> Processor::sendAgain(core::OperationId operation, QList<qint64> ordinals)
{
    return settle(operation, ordinals, true);
}

Result<> Processor::settle(core::OperationId operation, const QList<qint64> &ordinals, bool again)
{
    qsizetype next = 0;
    qint64 seen = 0; // not every doubt ends here: archived messages are not sent again
    while (true) {
        bool some = false;
        qint64 last = 0;
        TRY(m_dependencies.store.transact([&](store::Session &session) -> Result<> {
            store::RetryStore &retries = session.retries();
            QList<qint64> slice = ordinals.mid(next, core::limits::batchMembers);
            if (ordinals.isEmpty()) {
                TRY(const QList<store::RetryMember> doubtful,
                    retries.members(operation, records::Outcome::InDoubt, seen, core::limits::batchMembers));
                for (const store::RetryMember &member : doubtful)
                    slice.append(member.ordinal);
            }
            some = !slice.isEmpty();
            if (!some)
                return {};
            last = slice.last();
            return again ? retries.sendAgain(operation, slice, m_dependencies.session)
                         : retries.assumeSent(operation, slice);
        }));
        if (!some)
            break;
        next += core::limits::batchMembers;
        seen = last;
    }
    m_dependencies.progress.operationChanged(operation);
    wake();
    return {};
}

void Processor::report(const records::RetryBatch &batch, qint64 staged, qint64 forwarded)
{
    m_dependencies.progress.batchMoved(BatchProgress{batch.id, batch.operation, staged, forwarded});
}

} // namespace retry
