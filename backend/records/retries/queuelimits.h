// What a queue drops by its own settings, as numbers: how many messages or bytes it keeps, for how long, and what happens
// to the rest. Pure functions, any thread.
#pragma once

#include "backend/core/fields.h"
#include "backend/core/time/clock.h"

#include <QString>

#include <optional>

namespace records {

// As the broker applies them, from arguments, policies and operator policies together; nothing: no such limit, or unknown.
struct QueueLimits
{
    // DeadLettersNew: it refuses a message and puts a copy of it into its dead-letter target, at each attempt.
    enum class WhenFull { Refuses, DropsOldest, DeadLettersNew };
    friend constexpr WhenFull lastOf(WhenFull) { return WhenFull::DeadLettersNew; }

    std::optional<qint64> messages; // most messages that it holds
    std::optional<qint64> bytes; // most bytes of bodies
    std::optional<core::Milliseconds> keeps; // a message that waits longer expires
    WhenFull whenFull = WhenFull::Refuses; // for the first two
    bool deadLetters = false; // what it drops goes to a dead-letter target, so it is not lost

    [[nodiscard]] bool dropsOldest() const { return whenFull == WhenFull::DropsOldest && (messages || bytes); }
    [[nodiscard]] bool deadLettersNew() const { return whenFull == WhenFull::DeadLettersNew && (messages || bytes); }
    // What does not fit is not simply refused, so Redrive sends only what fits.
    [[nodiscard]] bool mayNotOverflow() const { return dropsOldest() || deadLettersNew(); }

    REDRIVE_FIELDS(messages, bytes, keeps, whenFull, deadLetters)
    friend bool operator==(const QueueLimits &, const QueueLimits &) = default;
};

// Messages that are about to be sent to one queue, and what is known of the queue.
struct Coming
{
    qint64 count = 0;
    qint64 bytes = 0; // of their bodies
    qint64 largest = 0; // body
    std::optional<qint64> waiting; // messages in the queue; nothing: unknown
    std::optional<int> consumers; // nothing: unknown

    REDRIVE_FIELDS(count, bytes, largest, waiting, consumers)
    friend bool operator==(const Coming &, const Coming &) = default;
};

// What the queue would drop if all of them were sent at once and nothing was consumed meanwhile.
struct DropForecast
{
    enum class Cause { None, Length, Bytes, Expiry };
    friend constexpr Cause lastOf(Cause) { return Cause::Expiry; }

    Cause cause = Cause::None;
    qint64 dropped = 0; // messages; of QueueLimits::deadLettersNew() those that go to the dead-letter target instead
    qint64 others = 0; // of these, messages that wait in the queue already: the oldest go first
    // Redrive cannot keep below the limit, and no dead-letter target gets what is dropped. False: it holds messages back
    // while the queue is full (Length), or consumers may be fast enough.
    bool isCertain = false;

    REDRIVE_FIELDS(cause, dropped, others, isCertain)
    friend bool operator==(const DropForecast &, const DropForecast &) = default;
};

// The messages of a queue that expire this soon, without a consumer in sight, are lost for certain.
inline constexpr core::Milliseconds shortestStay{60'000};

[[nodiscard]] DropForecast forecastOf(const QueueLimits &limits, const Coming &coming);
// Whether this queue loses whatever is sent to it now, however little that is.
[[nodiscard]] bool losesEverything(const QueueLimits &limits, std::optional<int> consumers);

// "orders keeps 10 messages and drops the oldest. Waiting: 5, coming: 30: 25 would be dropped, 5 of them messages that wait
// there now." Empty: nothing would be dropped.
[[nodiscard]] QString dropText(const QString &queue, const QueueLimits &limits, const DropForecast &forecast,
                               const Coming &coming);

} // namespace records
