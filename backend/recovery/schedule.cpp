#include "backend/recovery/schedule.h"

#include <algorithm>
#include <cmath>

namespace recovery {

namespace {

using core::Milliseconds;

constexpr Milliseconds longestDelay = std::chrono::hours(100LL * 366 * 24);
constexpr qint64 wholePercent = 100;

Milliseconds shareOf(Milliseconds whole, int percent)
{
    return Milliseconds{whole.count() / wholePercent * percent + whole.count() % wholePercent * percent / wholePercent};
}

Milliseconds linear(Milliseconds first, int round)
{
    const qint64 times = qint64(round) + 1;
    return first > longestDelay / times ? longestDelay : Milliseconds{first.count() * times};
}

// In floating point, which becomes infinite where integers would overflow.
Milliseconds exponential(const Schedule &schedule, int round)
{
    const double most = double(std::min(schedule.cap.value_or(longestDelay), longestDelay).count());
    return Milliseconds{qint64(std::min(most, double(schedule.first.count()) * std::pow(schedule.factor, round)))};
}

Milliseconds toNextTurn(const Schedule &schedule, core::TimePoint now)
{
    const qint64 every = schedule.every.count();
    if (every <= 0)
        return Milliseconds{0};
    const qint64 sinceTurn = (core::toMs(now) - schedule.offset.count()) % every;
    return Milliseconds{sinceTurn < 0 ? -sinceTurn : every - sinceTurn};
}

} // namespace

Milliseconds delayOf(const Schedule &schedule, int round, core::TimePoint now)
{
    switch (schedule.kind) {
    case Schedule::Kind::Linear:
        return linear(schedule.first, round);
    case Schedule::Kind::Exponential:
        return exponential(schedule, round);
    case Schedule::Kind::List:
        if (schedule.delays.isEmpty())
            return Milliseconds{0};
        return std::min(schedule.delays.at(std::min<qsizetype>(round, schedule.delays.size() - 1)), longestDelay);
    case Schedule::Kind::Cadence:
        return std::min(toNextTurn(schedule, now), longestDelay);
    }
    Q_UNREACHABLE();
}

DelayRange rangeOf(Milliseconds delay, const Jitter &jitter)
{
    switch (jitter.kind) {
    case Jitter::Kind::None:
        return {.least = delay, .most = delay};
    case Jitter::Kind::Full:
        return {.least = Milliseconds{0}, .most = delay};
    case Jitter::Kind::Equal:
        return {.least = delay - delay / 2, .most = delay};
    case Jitter::Kind::Percent: {
        const Milliseconds share = shareOf(delay, jitter.percent);
        return {.least = delay - share, .most = delay + share};
    }
    }
    Q_UNREACHABLE();
}

Milliseconds withJitter(Milliseconds delay, const Jitter &jitter, core::Random &random)
{
    const DelayRange range = rangeOf(delay, jitter);
    if (range.least == range.most)
        return delay;
    return range.most - Milliseconds{qint64(random.below(quint64((range.most - range.least).count()) + 1))};
}

Milliseconds longestDelayOf(const Policy &policy, int round, core::TimePoint now)
{
    const Milliseconds delay = delayOf(policy.schedule, round, now);
    return policy.schedule.kind == Schedule::Kind::Cadence ? delay : rangeOf(delay, policy.jitter).most;
}

} // namespace recovery
