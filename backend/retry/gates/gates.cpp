#include "backend/retry/gates/gates.h"

#include "backend/core/limits.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryguardstore.h"
#include "backend/store/retry/retryoperationstore.h"

#include <utility>

namespace retry {

Gates::Gates(const ProcessorContext &context)
    : m_context(context)
    , m_load(dynamic_cast<broker::BrokerLoad *>(&context.broker))
    , m_rate(context.clock)
    , m_brokerPace(context.clock)
    , m_ramp(context.clock)
    , m_backpressure(context.clock)
{
}

void Gates::beginRound()
{
    m_askAgainIn = core::limits::idleTick;
}

// Remembers when to ask again about what is not due yet.
bool Gates::isDue(core::Milliseconds wait)
{
    if (wait.count() > 0)
        m_askAgainIn = std::min(m_askAgainIn, wait);
    return wait.count() <= 0;
}

Result<QueueObservation> Gates::observe(store::Session &session, const records::RetryOperation &operation) const
{
    if (!m_context.observe)
        return QueueObservation{};
    if (!operation.plan.isGuarded() && !operation.plan.mostWaiting) // whether returns are seen does not matter
        return m_context.observe({});
    TRY(const store::Returns returns, session.retryGuards().returns(m_context.connection.id, operation.id));
    return m_context.observe(returns);
}

Result<Gates::Room> Gates::roomToMark(store::Session &session, const records::RetryOperation &operation)
{
    if (!isDue(m_rate.untilBegin(operation)))
        return Room{};
    TRY(const QueueObservation observation, observe(session, operation));
    TRY(const RampGate::Room room, m_ramp.roomFor(session, operation, observation));
    if (room.members == 0) {
        static_cast<void>(isDue(std::max(room.wait, core::Milliseconds{1})));
        m_reasons.insert(operation.id, room.why);
    } else {
        m_reasons.remove(operation.id);
    }
    return Room{room.members, observation};
}

// Reads the operation again: asking for room may just have proved a step.
Result<> Gates::batchAdded(store::Session &session, const records::RetryBatch &batch, const Room &room)
{
    TRY(const records::RetryOperation operation, session.retryOperations().load(batch.operation));
    TRY(operation.plan.ramp ? m_ramp.keepDepths(session, batch, room.observation) : Result<>{});
    return m_ramp.markStep(session, operation);
}

void Gates::hold(core::OperationId operation, const QString &why)
{
    m_reasons.insert(operation, why);
    m_askAgainIn = std::min(m_askAgainIn, RampGate::checkAgain);
}

Result<bool> Gates::mayStage(store::Session &session, const records::RetryOperation &operation, core::BatchId batch)
{
    if (!isDue(m_rate.untilNext(operation)))
        return false;
    TRY(const QString why, objection(session, operation, batch));
    if (!why.isEmpty()) {
        hold(operation.id, why);
        return false;
    }
    TRY(const bool isFree, isBrokerFree(session, operation));
    if (!isFree)
        return false;
    const QString slow = isShared(operation) ? m_brokerPace.reason(operation) : QString();
    if (!slow.isEmpty())
        m_reasons.insert(operation.id, slow);
    else if (operation.counts.pending == 0 || !operation.plan.ramp)
        m_reasons.remove(operation.id); // otherwise it is the reason why nothing more is marked
    return true;
}

bool Gates::isShared(const records::RetryOperation &operation) const
{
    return m_load != nullptr && operation.plan.brokerShare;
}

// What a batch costs is known when it has arrived, so the next one waits until then: its end wakes the lane.
Result<bool> Gates::isBrokerFree(store::Session &session, const records::RetryOperation &operation)
{
    if (!isShared(operation))
        return true;
    TRY(const std::optional<records::RetryBatch> forwarded,
        session.forwarding().nowForwarding(m_context.connection.id));
    const bool isOnItsWay = forwarded && forwarded->operation == operation.id;
    const core::Milliseconds wait =
        isOnItsWay ? BrokerPace::measureAgain : m_brokerPace.untilNext(operation, m_load->busy());
    if (wait.count() == 0)
        return true;
    m_askAgainIn = std::min({m_askAgainIn, wait, BrokerPace::measureAgain});
    if (const QString slow = m_brokerPace.reason(operation); !slow.isEmpty())
        m_reasons.insert(operation.id, slow);
    return false;
}

void Gates::begun(const records::RetryOperation &operation)
{
    if (isShared(operation))
        m_brokerPace.begun(operation, m_load->busy());
}

Task<> Gates::measureBroker()
{
    if (m_load == nullptr || !m_brokerPace.isMeasurementDue())
        co_return;
    const Result<broker::LoadReading> reading = co_await m_load->load();
    m_brokerPace.measured(reading);
}

QList<core::BatchId> Gates::waitingForRoom(core::OperationId operation) const
{
    return m_waiting.value(operation).keys();
}

Result<> Gates::lookForRoom(store::Session &session, const records::RetryOperation &operation)
{
    if (!m_waiting.contains(operation.id))
        return {};
    TRY(const QueueObservation observation, observe(session, operation));
    auto &batches = m_waiting[operation.id];
    QString first;
    batches.removeIf([&](const QMap<core::BatchId, QHash<QString, int>>::iterator &batch) {
        const QString why = m_backpressure.objection(operation.plan, *batch, observation);
        first = first.isEmpty() ? why : first;
        return why.isEmpty();
    });
    if (batches.isEmpty())
        m_waiting.remove(operation.id);
    if (!first.isEmpty())
        hold(operation.id, first);
    return {};
}

// Why a marked batch waits: nobody would see it come back, or its destinations hold too many messages. Empty: it may be
// staged.
Result<QString> Gates::objection(store::Session &session, const records::RetryOperation &operation, core::BatchId batch)
{
    TRY(const QueueObservation observation, observe(session, operation));
    if (operation.plan.isGuarded() && !observation.blind.isEmpty())
        return RampGate::blindText(observation.blind);
    if (!operation.plan.mostWaiting && !observation.hasDropping())
        return QString();
    TRY(const QList<store::RetryMember> members, session.retryBatches().membersOf(batch));
    const QHash<QString, int> copies = countByDestination(members);
    const QString why = m_backpressure.objection(operation.plan, copies, observation);
    if (!why.isEmpty())
        m_waiting[operation.id].insert(batch, copies);
    return why;
}

Result<QList<qint64>> Gates::beyondRoom(store::Session &session, const records::RetryOperation &operation,
                                        const QList<store::RetryMember> &members)
{
    TRY(const QueueObservation observation, observe(session, operation));
    return observation.hasDropping() || operation.plan.mostWaiting
               ? m_backpressure.beyondRoom(operation.plan, members, observation)
               : QList<qint64>();
}

void Gates::handedOver(const records::RetryOperation &operation, const Attempt &attempt, int staged)
{
    m_rate.handedOver(operation, staged);
    m_backpressure.handedOver(attempt.batch.id, countByDestination(attempt.members), !attempt.place.name.isEmpty());
}

void Gates::forget(core::OperationId operation)
{
    m_rate.forget(operation);
    m_brokerPace.forget(operation);
    m_ramp.forget(operation);
    m_waiting.remove(operation);
}

QList<core::OperationId> Gates::takeChangedReasons()
{
    const QHash<core::OperationId, QString> before = std::exchange(m_takenReasons, m_reasons);
    QList<core::OperationId> changed;
    for (auto reason = m_reasons.cbegin(); reason != m_reasons.cend(); ++reason) {
        if (before.value(reason.key()) != *reason)
            changed.append(reason.key());
    }
    for (auto reason = before.cbegin(); reason != before.cend(); ++reason) {
        if (!m_reasons.contains(reason.key()))
            changed.append(reason.key());
    }
    return changed;
}

} // namespace retry
