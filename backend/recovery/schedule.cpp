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

Milliseconds withJitter(Milliseconds delay, const Jitter &jitter, core::Random &random)
{
    const qint64 whole = delay.count();
    // A number from 0 to `most`.
    const auto upTo = [&random](qint64 most) { return qint64(random.below(quint64(most) + 1)); };
    switch (jitter.kind) {
    case Jitter::Kind::None:
        return delay;
    case Jitter::Kind::Full:
        return Milliseconds{upTo(whole)};
    case Jitter::Kind::Equal:
        return Milliseconds{whole - upTo(whole / 2)};
    case Jitter::Kind::Percent: {
        const qint64 share = shareOf(delay, jitter.percent).count();
        return Milliseconds{whole - share + upTo(2 * share)};
    }
    }
    Q_UNREACHABLE();
}

Milliseconds longestDelayOf(const Policy &policy, int round, core::TimePoint now)
{
    const Milliseconds delay = delayOf(policy.schedule, round, now);
    const bool isSpread =
        policy.jitter.kind == Jitter::Kind::Percent && policy.schedule.kind != Schedule::Kind::Cadence;
    return isSpread ? delay + shareOf(delay, policy.jitter.percent) : delay;
}

} // namespace recovery
