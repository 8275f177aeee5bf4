// The attempts of a policy on a time line, ready to be painted or read out. Pure functions.
#pragma once

#include "backend/recovery/attemptplan.h"

#include <QList>
#include <QString>

namespace models {

// The attempts that come at one time: the first one or a delayed retry, then those at once after it.
struct AttemptRound
{
    double place = 0; // 0 at the first failure, 1 when the last attempt fails at the latest
    core::Milliseconds at{0}; // since the first failure, before jitter
    int attempts = 0;
    recovery::DelayRange times; // with jitter
    double earliest = 0; // the places of these
    double latest = 0;

    friend bool operator==(const AttemptRound &, const AttemptRound &) = default;
};

struct AttemptTimeline
{
    QList<AttemptRound> rounds;
    bool isLogarithmic = false; // on a linear scale the first rounds would fall together
    recovery::DelayRange givesUp;
    qint64 attempts = 0;
};

[[nodiscard]] AttemptTimeline timelineOf(const recovery::AttemptPlan &plan);
// Whether jitter, or the turns of a cadence, spread its retries.
[[nodiscard]] bool isSpread(const AttemptTimeline &line);
// "6 retries", "no retry" where the first attempt is alone.
[[nodiscard]] QString retriesText(const AttemptTimeline &line, const AttemptRound &round);
// For screen readers: "0 s: 5 retries, 10 s: 6 retries, 1 min: 6 retries. Gives up after 1 min."
[[nodiscard]] QString spokenTimeline(const AttemptTimeline &line);
[[nodiscard]] QString givesUpText(
    const AttemptTimeline &line); // "Gives up after 1 min", "Gives up after 30 s to 1 min"

} // namespace models
