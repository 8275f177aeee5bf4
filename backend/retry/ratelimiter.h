#pragma once

#include "backend/core/clock.h"
#include "backend/records/retry.h"

#include <QHash>

namespace retry {

// When the batches of an operation may go: not before its time, by the wall clock as a person means it, and no faster than its
// rate. What went is kept in memory
// alone, so a restart may let one share go early, and no more. Engine thread.
class RateLimiter final
{
public:
    explicit RateLimiter(const core::Clock &clock)
        : m_clock(clock)
    {
    }

    // Until it may begin; 0: now.
    [[nodiscard]] core::Milliseconds untilBegin(const records::RetryOperation &operation) const;
    // Until its next batch may be handed over; 0: now.
    [[nodiscard]] core::Milliseconds untilNext(const records::RetryOperation &operation);

    void handedOver(const records::RetryOperation &operation, int members);
    void forget(core::OperationId operation) { m_paid.remove(operation); }

private:
    const core::Clock &m_clock;
    QHash<core::OperationId, core::SteadyTime> m_paid; // what went is worth the time until then
};

} // namespace retry
