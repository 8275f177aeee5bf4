#include "backend/engine/policies/unseenreturns.h"

#include <algorithm>

namespace engine {

using core::Milliseconds;
using core::SteadyTime;
using What = UnseenReturns::Verdict::What;

namespace {

constexpr qint64 wanted = 10; // new failures that a trial would see at their pace
constexpr qint64 fewest = 3; // of slow ones
constexpr qint64 mostByChance = 2; // instead of `wanted`; of fewer, none may come
constexpr qint64 mostScale = 64;
constexpr Milliseconds shortestTrial = std::chrono::minutes(1);
constexpr Milliseconds longTrial = std::chrono::minutes(10); // longer only to see the fewest
constexpr Milliseconds longestTrial = std::chrono::minutes(30);

// Nearly as many as were sent: some may be on their way.
bool isAsManyAs(qint64 fresh, qint64 sent)
{
    constexpr qint64 part = 8;
    constexpr qint64 whole = 10;
    return fresh * whole >= sent * part;
}

} // namespace

void UnseenReturns::sent(const Key &key, SteadyTime now)
{
    Series &series = m_series[key];
    if (series.probe) {
        ++series.probe->sent;
        series.probe->until = now + series.probe->draining;
        return;
    }
    if (series.sent == 0)
        series.since = now;
    ++series.sent;
}

void UnseenReturns::fresh(const Key &key, SteadyTime now)
{
    const auto found = m_series.find(key);
    if (found == m_series.end())
        return;
    Series &series = found->second;
    if (series.probe) {
        ++series.probe->fresh;
        if (series.probe->fresh > series.probe->sent)
            beginAnew(series);
    } else if (!series.trial) {
        ++series.fresh;
        if (series.fresh > series.sent)
            beginAnew(series);
    } else if (now >= series.trial->drained && now < series.trial->until) {
        ++series.trial->fresh;
    }
}

void UnseenReturns::beginAnew(Series &series)
{
    series = {{}, 0, 0, std::min(mostScale, series.scale * 2), {}, {}};
}

void UnseenReturns::known(const Key &key)
{
    m_series.erase(key);
}

// Long enough to see several new failures at the pace at which they came, after what is on its way is back.
void UnseenReturns::begin(Series &series, SteadyTime now)
{
    const Milliseconds ran = now - series.since;
    const Milliseconds pace = std::max<Milliseconds>(ran / std::max<qint64>(1, series.fresh), Milliseconds{1});
    const Milliseconds enoughToSee = std::clamp<Milliseconds>(pace * wanted, shortestTrial, longTrial);
    const Milliseconds length = std::max(enoughToSee, std::min<Milliseconds>(pace * fewest, longestTrial));
    const Milliseconds draining = std::min<Milliseconds>(length / 2 * series.scale, longTrial);
    series.trial = Trial{draining, now + draining, now + draining + length, 0, length / pace};
}

bool UnseenReturns::isSuspect(const Series &series)
{
    return series.trial || (series.sent >= enough * series.scale && isAsManyAs(series.fresh, series.sent));
}

bool UnseenReturns::suspects(core::AssignmentId assignment) const
{
    return std::any_of(m_series.begin(), m_series.end(), [assignment](const auto &one) {
        return one.first.assignment == assignment && isSuspect(one.second);
    });
}

UnseenReturns::Verdict UnseenReturns::judge(const Key &key, SteadyTime now)
{
    const auto found = m_series.find(key);
    return found == m_series.end() ? Verdict{} : judge(found->second, now);
}

UnseenReturns::Verdict UnseenReturns::judge(Series &series, SteadyTime now)
{
    if (series.probe)
        return judgeProbe(series, now);
    if (!isSuspect(series))
        return {};
    if (!series.trial)
        begin(series, now);
    const Trial trial = *series.trial;
    if (now < trial.until)
        return {What::Wait, trial.until - now};
    if (trial.fresh > (trial.expected >= wanted ? mostByChance : 0)) {
        beginAnew(series);
        return {};
    }
    series.probe = Probe{trial.draining, {}, 0, 0};
    return judgeProbe(series, now);
}

UnseenReturns::Verdict UnseenReturns::judgeProbe(Series &series, SteadyTime now)
{
    const Probe probe = *series.probe;
    Verdict verdict;
    if (probe.sent < probes) {
        verdict.most = probes - probe.sent;
        return verdict;
    }
    if (probe.fresh < probe.sent && now < probe.until)
        return {What::Wait, probe.until - now, true};
    if (probe.fresh >= probe.sent) {
        verdict.what = What::Loop;
        verdict.sent = series.sent;
        verdict.fresh = series.fresh;
    }
    beginAnew(series);
    return verdict;
}

} // namespace engine
