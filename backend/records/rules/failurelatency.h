#pragma once

#include "backend/core/time/clock.h"
#include "backend/records/rules/rampplan.h"

#include <QHash>
#include <QMap>

#include <optional>

namespace records {

// The quiet period of a ramp: how long a retry waits for failures before its next step.
struct QuietPeriod
{
    std::optional<core::Milliseconds> takesToFail; // nearly all messages failed within this time; nothing: unknown
    core::Milliseconds quiet{};

    friend bool operator==(const QuietPeriod &, const QuietPeriod &) = default;
};

// Calculates the quiet period from the times that messages took from being sent to failing.
//
// In each group of messages, 95 of 100 failed within some time. The longest of these times counts, because a ramp sends
// the first messages of every group, and thousands of quick failures must not hide a slow group. One in twenty is left
// out, because it may have waited behind others. The time includes the delayed retries of the framework, since the last
// failure counts.
//
// The quiet period is 1.5 times that time, because a busy system is slower. Its limits:
//  - At least 30 s: brokers count their queues every few seconds, and Redrive takes from queues every 5 to 30 s.
//  - At most 30 min: nobody watches a retry for longer, and its stop rule stays in force anyway.
//  - 90 s if no time is known, and at least 90 s if most are unknown: with the defaults of NServiceBus a message takes
//    a minute to fail (immediate tries, then after 10, 20 and 30 s).
//
// The times come from messages: a time below 0 or above one day counts as unknown. Not thread-safe.
class FailureLatency final
{
public:
    static constexpr core::Milliseconds shortest{30000};
    static constexpr core::Milliseconds unknown = quietTime;
    static constexpr core::Milliseconds longest{30 * 60000};
    static constexpr core::Milliseconds absurd{24 * 3600000LL};
    static constexpr qsizetype mostGroups = 1000; // all further groups count as one

    // Adds `count` messages of a group that took this time to fail; nothing: the time is unknown.
    void add(qint64 group, std::optional<core::Milliseconds> took, qint64 count);
    FailureLatency &operator+=(const FailureLatency &other);
    [[nodiscard]] QuietPeriod quietPeriod() const;

    [[nodiscard]] static bool isSane(core::Milliseconds took) { return took.count() >= 0 && took <= absurd; }

    friend bool operator==(const FailureLatency &, const FailureLatency &) = default;

private:
    using Times = QMap<qint64, qint64>; // from seconds, rounded up (coarser for long times), to the number of messages
    QHash<qint64, Times> m_groups;
    qint64 m_known = 0;
    qint64 m_unknown = 0;
};

// The time from sending to failing. Nothing if a time is unknown or the difference is below 0 or above one day.
[[nodiscard]] std::optional<core::Milliseconds> timeToFail(std::optional<core::TimePoint> sent,
                                                           std::optional<core::TimePoint> failed);

} // namespace records
