#include "backend/retry/processor.h"

#include "backend/core/limits.h"
#include "backend/store/retry/claimstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"

namespace retry {

Processor::Processor(records::Connection connection, ProcessorDependencies dependencies)
    : m_shared(std::move(connection), std::move(dependencies))
    , m_marking(m_shared.context, m_shared.gates, m_shared.resting)
    , m_recovery(m_shared, m_marking)
    , m_staging(m_shared, m_marking)
    , m_forwarding(m_shared)
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
    m_shared.context.stopping = true;
    m_shared.staging.timers().cancelAll();
    m_shared.forwarding.timers().cancelAll();
}

void Processor::wake()
{
    if (m_shared.staging.waitsForAll())
        m_shared.reasons.storeAll(); // new operations learn the reason now: the next try may take a while
    m_shared.staging.timers().wake();
    m_shared.forwarding.timers().wake();
}

Task<> Processor::run()
{
    bool goOn = true;
    while (goOn && !m_shared.context.stopping) {
        const Result<> recovered = co_await m_recovery.recover();
        if (recovered)
            break;
        goOn = co_await m_shared.staging.waitAfter(recovered.error());
    }
    if (goOn && !m_shared.context.stopping) {
        const Task<> staging = stagingLane();
        const Task<> forwarding = forwardingLane();
        co_await staging;
        co_await forwarding;
    }
    m_running = false;
    m_ended.resolve(true);
}

// The function objects belong to the caller's frame, which awaits this.
Task<> Processor::runLane(Lane &lane, const LaneStep &step, const LanePause &pause)
{
    while (!m_shared.context.stopping) {
        const Result<bool> worked = co_await step();
        if (!worked) {
            const bool goOn = co_await lane.waitAfter(worked.error());
            if (!goOn)
                break;
            continue;
        }
        lane.stepSucceeded();
        const std::optional<core::Milliseconds> wait = pause(*worked);
        if (!wait)
            continue;
        const Result<> slept = co_await lane.timers().sleepOrWake(*wait);
        if (!slept)
            break;
    }
}

Task<> Processor::stagingLane()
{
    const LaneStep step = [this] { return m_staging.stageNext(); };
    // Also after work, so that other lanes and the window get their turn between two batches.
    const LanePause pause = [this](bool worked) {
        return std::optional(worked ? core::Milliseconds{0} : m_shared.gates.askAgainIn());
    };
    co_await runLane(m_shared.staging, step, pause);
}

Task<> Processor::forwardingLane()
{
    const LaneStep step = [this] { return m_forwarding.forwardNext(); };
    const LanePause pause = [this](bool worked) -> std::optional<core::Milliseconds> {
        if (!worked)
            return core::limits::idleTick;
        m_shared.staging.timers().wake(); // the pointer is free
        return std::nullopt;
    };
    co_await runLane(m_shared.forwarding, step, pause);
}

Result<> Processor::change(core::OperationId id, StateChange change, const QString &who)
{
    TRY(m_shared.context.store.transact([&](store::Session &session) -> Result<> {
        TRY(changeState(session, id, change, m_shared.context.clock.now(), who));
        return m_shared.finisher.finishIfEnded(session, id);
    }));
    stateChanged(id);
    return {};
}

void Processor::stateChanged(core::OperationId id)
{
    m_shared.reasons.forgetStored(id);
    m_shared.gates.clearReason(id);
    m_shared.context.progress.operationChanged(id);
    wake();
}

Result<> Processor::setPerMinute(core::OperationId operation, std::optional<qint64> perMinute)
{
    TRY(m_shared.context.store.transact(
        [&](store::Session &session) { return session.retryOperations().setPerMinute(operation, perMinute); }));
    m_shared.context.progress.operationChanged(operation);
    wake();
    return {};
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
        TRY(m_shared.context.store.transact([&](store::Session &session) -> Result<> {
            QList<qint64> slice = ordinals.mid(next, core::limits::batchMembers);
            if (ordinals.isEmpty()) {
                TRY(const QList<store::RetryMember> doubtful,
                    session.retryBatches().members(operation, records::Outcome::InDoubt, seen,
                                                   core::limits::batchMembers));
                for (const store::RetryMember &member : doubtful)
                    slice.append(member.ordinal);
            }
            some = !slice.isEmpty();
            if (!some)
                return {};
            last = slice.last();
            return again ? session.claims().sendAgain(operation, slice, m_shared.context.session)
                         : session.claims().assumeSent(operation, slice);
        }));
        if (!some)
            break;
        next += core::limits::batchMembers;
        seen = last;
    }
    m_shared.context.progress.operationChanged(operation);
    wake();
    return {};
}

} // namespace retry
