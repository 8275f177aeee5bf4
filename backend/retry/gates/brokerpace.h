#pragma once

#include "backend/broker/brokerload.h"
#include "backend/core/time/clock.h"
#include "backend/records/retries/retry.h"

#include <QHash>

namespace retry {

// Keeps operations to their share of the broker's time (Plan::brokerShare). The time is that in which requests of ours are
// open, whoever of Redrive sends them: after a batch, the operation rests until that time is no larger part of the whole than
// its share.
// The share grows and shrinks with what the broker says of itself, for all operations of the connection: it begins with a
// quarter of what each plan allows. A measurement without too much to do adds a quarter, up to the whole. One with more
// processes ready than processors, whoever caused them, halves it, and so does a failed one. It is never below 1 %.
// In memory only: after a restart or a longer pause it begins with a quarter again. Engine thread.
class BrokerPace final
{
public:
    static constexpr core::Milliseconds measureAgain{5000}; // RabbitMQ counts that often
    static constexpr core::Milliseconds outOfDate{15000}; // older measurements say nothing

    explicit BrokerPace(const core::Clock &clock)
        : m_clock(clock)
    {
    }

    // Somebody waits for a measurement, and the last one is old enough.
    [[nodiscard]] bool isMeasurementDue() const;
    // BrokerLoad::load(). The same measurement again changes nothing.
    void measured(const core::Result<broker::LoadReading> &reading);

    // Time until the next batch of the operation may be staged; 0: now. `busy`: BrokerLoad::busy() now.
    [[nodiscard]] core::Milliseconds untilNext(const records::RetryOperation &operation, core::Milliseconds busy);
    // Its next batch is staged now.
    void begun(const records::RetryOperation &operation, core::Milliseconds busy);
    void forget(core::OperationId operation) { m_last.remove(operation); }

    // What the operation may take now, in percent.
    [[nodiscard]] double shareOf(const records::Plan &plan) const;
    // Why that is less than its plan allows because of the last measurement, for people; empty: it is not.
    [[nodiscard]] QString slowedBecause(const records::Plan &plan) const;

private:
    struct Batch
    {
        core::SteadyTime at{};
        core::Milliseconds busy{}; // at that time
    };
    static constexpr int whole = 16; // parts of a share
    [[nodiscard]] bool isCurrent() const;

    const core::Clock &m_clock;
    QHash<core::OperationId, Batch> m_last;
    int m_parts = whole / 4; // of the share
    bool m_isWanted = false;
    std::optional<core::SteadyTime> m_asked; // the last measurement
    QString m_sample;
    QString m_trouble; // what the last measurement said, for people
};

} // namespace retry
