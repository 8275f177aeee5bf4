#pragma once

#include "backend/core/time/timers.h"
#include "backend/recovery/backoff.h"
#include "backend/retry/context/operationfinisher.h"
#include "backend/retry/context/waitingreasons.h"

namespace retry {

// One of the two lanes of a Processor: its waits, its back-off, and the operation it works for. Each step of the lane
// belongs to one operation, or to none when all operations of the connection need it. Engine thread.
class Lane final
{
public:
    Lane(ProcessorContext &context, WaitingReasons &reasons, OperationFinisher &finisher,
         WaitingReasons::LaneName name);

    // Waits after this error, with back-off and with its message as the reason, at least as long as the broker asked
    // for. False: the lane must end, because of stop() or a store that takes no more writes.
    [[nodiscard]] Task<bool> waitAfter(core::Error error);
    // A step has succeeded: the waits start small again, and nothing is waited for.
    void stepSucceeded();

    // Switches to this operation; invalid: to all. The reason of the same operation stays until it moves on; that of
    // another one is not shown for it.
    void workFor(core::OperationId operation);
    // Why the current operation waits, for people; empty: it does not.
    void setReason(const QString &reason);
    [[nodiscard]] bool waitsForAll() const { return m_reasons.concernsAll(m_name); }

    [[nodiscard]] core::Timers &timers() { return m_timers; }
    // Whoever makes progress while repeating failed requests restores the back-off it began with.
    [[nodiscard]] recovery::Backoff backoff() const { return m_backoff; }
    void restoreBackoff(const recovery::Backoff &backoff) { m_backoff = backoff; }
    void resetBackoff() { m_backoff.reset(); }

private:
    ProcessorContext &m_context;
    WaitingReasons &m_reasons;
    OperationFinisher &m_finisher;
    const WaitingReasons::LaneName m_name;
    core::Timers m_timers;
    recovery::Backoff m_backoff;
};

} // namespace retry
