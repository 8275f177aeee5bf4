#pragma once

#include "backend/broker/brokerload.h"
#include "backend/core/time/clock.h"
#include "backend/records/retries/retry.h"

#include <QHash>

namespace retry {

// Keeps operations to their share of the broker's time (Plan::brokerShare). The time is that in which requests of ours are
// open, whoever of Redrive sends them, between the beginning of a batch and its arrival: after that, the operation rests until
// it is no larger part of the whole than its share. Batches of other operations with a share count, too. What Redrive asks
// while nothing of them goes (lists of queues, measurements, operations without a share) does not: it does not become less
// when they wait, and where it alone exceeds the share nothing would ever go.
// The share grows and shrinks with what the broker says of itself, for all operations of the connection: it begins with a
// quarter of what each plan allows. A measurement without too much to do adds a quarter, up to the whole. One with more
// processes ready than processors, whoever caused them, halves it, and so does a failed one. It is never below 1 %.
// An operation rests for a minute at most, unless its own batch needs more to stay within what its plan allows.
// In memory only: after a restart or a longer pause it begins with a quarter again. Engine thread.
class BrokerPace final
{
public:
    static constexpr core::Milliseconds measureAgain{5000}; // RabbitMQ counts that often
    static constexpr core::Milliseconds outOfDate{15000}; // older measurements say nothing
    static constexpr core::Milliseconds longestRest{60000};
    static constexpr core::Milliseconds longRest = measureAgain; // a person sees it, and is told why

    explicit BrokerPace(const core::Clock &clock)
        : m_clock(clock)
    {
    }

    // Somebody waits for a measurement, and the last one is old enough.
    [[nodiscard]] bool isMeasurementDue() const;
    // BrokerLoad::load(). The same measurement again changes nothing.
    void measured(const core::Result<broker::LoadReading> &reading);

    // Time until the next batch of the operation may be staged; 0: now. `busy`: BrokerLoad::busy() now. Its last one is over:
    // this is asked only while none is on its way.
    [[nodiscard]] core::Milliseconds untilNext(const records::RetryOperation &operation, core::Milliseconds busy);
    // Its next batch is staged now.
    void begun(const records::RetryOperation &operation, core::Milliseconds busy);
    // It has ended, or a person holds it: its last batch is paid for.
    void forget(core::OperationId operation);

    // What the operation may take now, in percent.
    [[nodiscard]] double shareOf(const records::Plan &plan) const;
    // Why it is slow, for people: the last measurement lowers its share, or its rests are long. Empty: neither. Stays from
    // batch to batch.
    [[nodiscard]] QString reason(const records::RetryOperation &operation) const;

private:
    struct Batch
    {
        core::SteadyTime at{};
        core::Milliseconds busy{}; // at that time
        core::Milliseconds usedByAll{}; // at that time
        std::optional<core::SteadyTime> end{};
        core::Milliseconds used{}; // of the broker's time, until its end
        core::Milliseconds rest{}; // after its end; until then that after the batch before it
    };
    static constexpr int whole = 16; // parts of a share
    [[nodiscard]] bool isCurrent() const;
    void finish(Batch &batch, core::Milliseconds busy);
    // The time in which batches of operations with a share were under way. Time in which several were counts once.
    [[nodiscard]] core::Milliseconds usedByAll(core::Milliseconds busy) const;

    const core::Clock &m_clock;
    QHash<core::OperationId, Batch> m_last;
    int m_open = 0; // of m_last without an end
    core::Milliseconds m_openSince{}; // `busy` when the first of them began
    core::Milliseconds m_usedBefore{}; // usedByAll() until then
    int m_parts = whole / 4; // of the share
    bool m_isWanted = false;
    std::optional<core::SteadyTime> m_asked; // the last measurement
    QString m_sample;
    QString m_trouble; // what the last measurement said, for people
};

} // namespace retry
