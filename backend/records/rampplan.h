#pragma once

#include "backend/core/clock.h"

#include <QList>
#include <QString>

#include <optional>

namespace records {

// How a retry begins carefully: so many messages in each step, and the next step waits for evidence that what went before did
// well.
struct Ramp
{
    QList<qint64> steps; // one at least, each 1 or more
    bool thenRest = false; // after the last one all that is left; else each further step is ten times the one before

    friend bool operator==(const Ramp &, const Ramp &) = default;
};

// When a retry pauses by itself: so many of what was sent came back.
struct StopWhen
{
    qint64 amount = 0; // 1 or more
    bool percent = false; // of what was sent; else a number of messages

    friend bool operator==(const StopWhen &, const StopWhen &) = default;
};

// Without a failure for so long, a step of a ramp has done well: with the defaults of seed 003 it takes 60 s to fail again
// (immediate tries, then after 10, 20 and 30 s).
inline constexpr core::Milliseconds quietTime{90000};

// The messages that may go once so many steps have their evidence, those of the steps before among them.
[[nodiscard]] qint64 allowed(const Ramp &ramp, int proved);

// "1,10,100,rest": JSON, command line and store; nothing: it is no ramp.
[[nodiscard]] std::optional<Ramp> rampFrom(QStringView text);
[[nodiscard]] QString toString(const Ramp &ramp);
// "5%", "50"
[[nodiscard]] std::optional<StopWhen> stopWhenFrom(QStringView text);
[[nodiscard]] QString toString(const StopWhen &stop);

// Where nobody says otherwise.
[[nodiscard]] Ramp defaultRamp(); // 1, 10, 100, 1000, then ten times as many each
[[nodiscard]] StopWhen defaultStop(); // 5 %

} // namespace records
