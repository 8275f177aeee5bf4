#include "backend/retry/context/lane.h"

#include "backend/core/limits.h"

namespace retry {

using core::ErrorKind;

Lane::Lane(ProcessorContext &context, WaitingReasons &reasons, OperationFinisher &finisher,
           WaitingReasons::LaneName name)
    : m_context(context)
    , m_reasons(reasons)
    , m_finisher(finisher)
    , m_name(name)
    , m_timers(context.clock)
{
}

Task<bool> Lane::waitAfter(core::Error error)
{
    if (m_context.stopping || error.kind == ErrorKind::Cancelled || error.kind == ErrorKind::StoreFailed)
        co_return false;
    if (error.kind == ErrorKind::Unauthorized)
        m_context.brokerState.rightsMayHaveChanged();
    constexpr core::Milliseconds longest = core::limits::backoffCap;
    const core::Milliseconds asked = error.retryAfter; // the broker asked for this: nothing shortens it
    const core::Milliseconds wait = std::min(m_backoff.next(m_context.random, core::Milliseconds{1}), longest);
    setReason(error.message);
    for (core::Milliseconds left = asked; left.count() > 0; left -= longest) {
        const Result<> slept = co_await m_timers.sleep(std::min(left, longest));
        if (!slept)
            co_return false;
        static_cast<void>(m_finisher.cancelSlice()); // it needs no broker; an error comes up again later
    }
    if (wait > asked) {
        const Result<> slept = co_await m_timers.sleepOrWake(wait - asked);
        co_return slept.has_value();
    }
    co_return true;
}

void Lane::stepSucceeded()
{
    m_backoff.reset();
    m_reasons.set(m_name, {}, {});
}

void Lane::workFor(core::OperationId operation)
{
    if (m_reasons.operation(m_name) != operation)
        m_reasons.set(m_name, operation, {});
}

void Lane::setReason(const QString &reason)
{
    m_reasons.set(m_name, m_reasons.operation(m_name), reason);
}

} // namespace retry
