#pragma once

#include "backend/core/clock.h"
#include "backend/records/rampplan.h"

#include <QHash>
#include <QMap>

#include <optional>

namespace records {

// How long a retry waits until silence speaks for it.
struct QuietPeriod
{
    std::optional<core::Milliseconds> takesToFail; // nearly all of its messages failed within that; nothing: not known
    core::Milliseconds quiet{};

    friend bool operator==(const QuietPeriod &, const QuietPeriod &) = default;
};

// From how long messages took from being sent to failing, how long to wait for them to fail again.
//
// The time that counts is that within which 95 of 100 messages of a group failed, of the slowest group: a ramp sends the first
// of every group, and what is slow to fail is not to be outrun by a few thousand that are quick; one in twenty may be odd,
// because it waited behind others. What it takes to fail includes the delayed tries of the framework, for the failure that
// counts is the last one. Half as much again is added: nothing is as quick when there is much to do.
//
//   quiet = 1.5 x that, but 30 s at least (brokers count their queues every few seconds, queues are taken from every 5 to
//   30 s), and 30 min at most: nobody watches a retry for longer, and the limit for what comes back goes on to hold.
//   Where nothing is known, and at least where most is unknown: 90 s, which is the minute that seed 003's defaults need
//   (immediate tries, then after 10, 20 and 30 s) and half as much again.
//
// Times are what others wrote: below 0 or above a day they count as not known.
class FailureLatency final
{
public:
    static constexpr core::Milliseconds shortest{30000};
    static constexpr core::Milliseconds unknown = quietTime;
    static constexpr core::Milliseconds longest{30 * 60000};
    static constexpr core::Milliseconds absurd{24 * 3600000LL};
    static constexpr qsizetype mostGroups = 1000; // those beyond count as one

    void add(qint64 group, std::optional<core::Milliseconds> took, qint64 count);
    FailureLatency &operator+=(const FailureLatency &other);
    [[nodiscard]] QuietPeriod quietPeriod() const;

    [[nodiscard]] static bool isSane(core::Milliseconds took) { return took.count() >= 0 && took <= absurd; }

    friend bool operator==(const FailureLatency &, const FailureLatency &) = default;

private:
    using Times = QMap<qint64, qint64>; // seconds, rounded up: the longer the coarser; how many
    QHash<qint64, Times> m_groups;
    qint64 m_known = 0;
    qint64 m_unknown = 0;
};

// Where both times are known and sane.
[[nodiscard]] std::optional<core::Milliseconds> timeToFail(std::optional<core::TimePoint> sent,
                                                           std::optional<core::TimePoint> failed);

} // namespace records
