#pragma once

#include "backend/core/time/clock.h"
#include "backend/records/retries/retry.h"

#include <QHash>

namespace retry {

// When the next batch of an operation may be sent: not before its start time (wall clock, as people mean it) and no
// faster than its rate. What was sent is kept in memory only, so after a restart one batch may go too early, and no
// more. Engine thread.
class RateLimiter final
{
public:
    explicit RateLimiter(const core::Clock &clock)
        : m_clock(clock)
    {
    }

    // Time until the operation may begin; 0: now.
    [[nodiscard]] core::Milliseconds untilBegin(const records::RetryOperation &operation) const;
    // Time until its next batch may be handed over; 0: now.
    [[nodiscard]] core::Milliseconds untilNext(const records::RetryOperation &operation);

    void handedOver(const records::RetryOperation &operation, int members);
    void forget(core::OperationId operation) { m_usedUntil.remove(operation); }

private:
    const core::Clock &m_clock;
    QHash<core::OperationId, core::SteadyTime> m_usedUntil; // what was sent uses up the rate until this time
};

} // namespace retry
