#include "models/policies/attempttimeline.h"

#include "backend/recovery/files/policytext.h"
#include "models/common/formatters.h"
#include "models/common/text.h"

#include <algorithm>
#include <cmath>

namespace models {

namespace {

// On a linear scale the two nearest rounds must be this share of the whole apart, or half as far as on an even one.
constexpr double leastShare = 0.02;

bool needsLogarithm(const QList<AttemptRound> &rounds, core::Milliseconds total)
{
    if (rounds.size() < 3)
        return false;
    core::Milliseconds least = total;
    for (qsizetype i = 1; i < rounds.size(); ++i)
        least = std::min(least, rounds.at(i).at - rounds.at(i - 1).at);
    const double even = 1.0 / double(rounds.size() - 1);
    return double(least.count()) / double(total.count()) < std::min(leastShare, even / 2);
}

} // namespace

AttemptTimeline timelineOf(const recovery::AttemptPlan &plan)
{
    AttemptTimeline line;
    line.attempts = plan.attempts;
    line.givesUp = plan.givesUp;
    for (const recovery::PlannedAttempt &step : plan.steps) {
        if (step.kind != recovery::PlannedAttempt::Kind::Immediate)
            line.rounds.append({.at = step.at, .times = step.times});
        ++line.rounds.last().attempts;
    }
    if (line.rounds.size() < 2)
        return line;
    line.isLogarithmic = needsLogarithm(line.rounds, line.givesUp.most);
    const auto total = double(line.givesUp.most.count());
    const auto unit = double(line.rounds.at(1).at.count());
    const auto placeOf = [&](core::Milliseconds time) {
        const auto at = double(time.count());
        return line.isLogarithmic ? std::log1p(at / unit) / std::log1p(total / unit) : at / total;
    };
    for (AttemptRound &round : line.rounds) {
        round.place = placeOf(round.at);
        round.earliest = placeOf(round.times.least);
        round.latest = placeOf(round.times.most);
    }
    return line;
}

bool isSpread(const AttemptTimeline &line)
{
    return line.givesUp.least != line.givesUp.most;
}

QString givesUpText(const AttemptTimeline &line)
{
    return line.givesUp.most.count() == 0 ? Text::tr("Gives up at once")
                                          : Text::tr("Gives up after %1").arg(recovery::rangeText(line.givesUp));
}

QString retriesText(const AttemptTimeline &line, const AttemptRound &round)
{
    const bool isFirst = !line.rounds.isEmpty() && round == line.rounds.constFirst();
    const int retries = round.attempts - (isFirst ? 1 : 0); // the first attempt is no retry
    if (retries == 0)
        return Text::tr("no retry");
    return Text::tr("%1 retries", nullptr, retries).arg(formatNumber(retries));
}

QString spokenTimeline(const AttemptTimeline &line)
{
    constexpr qsizetype mostSpoken = 12;
    QStringList parts;
    for (const AttemptRound &round : line.rounds.mid(0, mostSpoken))
        parts.append(Text::tr("%1: %2").arg(recovery::rangeText(round.times), retriesText(line, round)));
    if (line.rounds.size() > mostSpoken)
        parts.append(QStringLiteral("…"));
    return Text::tr("%1. %2.").arg(parts.join(QStringLiteral(", ")), givesUpText(line));
}

} // namespace models
