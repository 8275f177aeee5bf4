#pragma once

#include "backend/core/fields.h"
#include "backend/core/time/clock.h"

#include <QList>
#include <QString>

#include <optional>

namespace records {

// How a retry starts with few messages. Each step sends a number of messages; the next step starts when a quiet period
// has shown that the messages before it do not fail again.
struct Ramp
{
    QList<qint64> steps; // messages per step: at least one step, each of 1 or more
    // What follows the last step. True: all remaining messages. False: more steps, each ten times the one before.
    bool thenRest = false;

    REDRIVE_FIELDS(steps, thenRest)
    friend bool operator==(const Ramp &, const Ramp &) = default;
};

// The stop rule: a retry pauses by itself when this many of its sent messages came back.
struct StopWhen
{
    qint64 amount = 0; // 1 or more
    bool percent = false; // true: percent of the sent messages; false: a number of messages

    REDRIVE_FIELDS(amount, percent)
    friend bool operator==(const StopWhen &, const StopWhen &) = default;
};

// The default quiet period. With the defaults of NServiceBus a message takes 60 s to fail again (immediate tries, then
// after 10, 20 and 30 s).
inline constexpr core::Milliseconds quietTime{90000};

// How many messages of the retry may be sent in total when `proved` steps are proved good.
[[nodiscard]] qint64 allowed(const Ramp &ramp, int proved);

// The form in JSON, command line and store: "1,10,100,rest". The reader returns nothing for any other text.
[[nodiscard]] std::optional<Ramp> rampFrom(QStringView text);
[[nodiscard]] QString toString(const Ramp &ramp);
// Likewise: "5%" or "50".
[[nodiscard]] std::optional<StopWhen> stopWhenFrom(QStringView text);
[[nodiscard]] QString toString(const StopWhen &stop);

[[nodiscard]] Ramp defaultRamp(); // 1, 10, 100, 1000, then ten times as many in each step
[[nodiscard]] StopWhen defaultStop(); // 5 %

} // namespace records
