#include "backend/records/rules/failurelatency.h"

#include <algorithm>

namespace records {

namespace {

constexpr qint64 msOfSecond = 1000;

qint64 upTo(qint64 value, qint64 step)
{
    return (value + step - 1) / step * step;
}

// Two digits are enough for a person, and they keep the table short.
qint64 roundedUp(core::Milliseconds took)
{
    const qint64 seconds = upTo(took.count(), msOfSecond) / msOfSecond;
    if (seconds <= 120)
        return seconds;
    if (seconds <= 600)
        return upTo(seconds, 5);
    return upTo(seconds, seconds <= 3600 ? 30 : 300);
}

// The time within which 95 of 100 messages failed.
qint64 slowestButFew(const QMap<qint64, qint64> &times)
{
    qint64 all = 0;
    for (const qint64 count : times)
        all += count;
    const qint64 enough = (all * 95 + 99) / 100;
    qint64 seen = 0;
    for (auto time = times.cbegin(); time != times.cend(); ++time) {
        seen += *time;
        if (seen >= enough)
            return time.key();
    }
    return 0;
}

} // namespace

void FailureLatency::add(qint64 group, std::optional<core::Milliseconds> took, qint64 count)
{
    if (!took || !isSane(*took)) {
        m_unknown += count;
        return;
    }
    m_known += count;
    const bool fits = m_groups.size() < mostGroups || m_groups.contains(group);
    m_groups[fits ? group : 0][roundedUp(*took)] += count;
}

FailureLatency &FailureLatency::operator+=(const FailureLatency &other)
{
    m_unknown += other.m_unknown;
    for (auto group = other.m_groups.cbegin(); group != other.m_groups.cend(); ++group) {
        for (auto time = group->cbegin(); time != group->cend(); ++time)
            add(group.key(), core::Milliseconds{time.key() * msOfSecond}, *time);
    }
    return *this;
}

QuietPeriod FailureLatency::quietPeriod() const
{
    if (m_known == 0)
        return {std::nullopt, unknown};
    qint64 seconds = 0;
    for (const Times &times : m_groups)
        seconds = std::max(seconds, slowestButFew(times));
    const core::Milliseconds takes{seconds * msOfSecond};
    const core::Milliseconds least = m_unknown > m_known ? unknown : shortest;
    return {takes, std::clamp(takes * 3 / 2, least, longest)};
}

std::optional<core::Milliseconds> timeToFail(std::optional<core::TimePoint> sent, std::optional<core::TimePoint> failed)
{
    if (!sent || !failed)
        return std::nullopt;
    // Compare first: the difference of two arbitrary times may overflow.
    if (*failed < *sent || *sent < core::fromMs(0) || *failed - *sent > FailureLatency::absurd)
        return std::nullopt;
    return std::chrono::duration_cast<core::Milliseconds>(*failed - *sent);
}

} // namespace records
