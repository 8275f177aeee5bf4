// A recovery policy: which failures are retried, how often, when, and what happens in the end. The types are values for
// any thread. Spans are whole seconds when they come from a file (policyfile.h); the code accepts any.
#pragma once

#include "backend/core/fields.h"
#include "backend/core/time/clock.h"
#include "backend/records/rules/rampplan.h"

#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>

#include <chrono>
#include <optional>

namespace recovery {

// What can be expected of another try (deferred dispatch, "Characterizing our failures").
enum class FailureClass {
    Transient, // may work at once: immediate retries, then delayed ones. What no rule names is of this class.
    Delayed, // may work later, but not at once: delayed retries only
    Permanent, // never works: no retry
};
constexpr FailureClass lastOf(FailureClass)
{
    return FailureClass::Permanent;
}

// One rule of the ordered list. The first rule that matches decides.
struct ClassRule
{
    enum class By {
        Exception, // type of the exception: exact or one of its subtypes, or a glob
        Message, // glob over the whole message of the exception
        HttpStatus,
        DeadLetterReason, // glob over the whole reason
    };
    friend constexpr By lastOf(By) { return By::DeadLetterReason; }

    By by = By::Exception;
    QString pattern; // glob.h; empty for an HTTP status
    int httpStatus = 0; // 100 to 599; 0 for the others
    FailureClass as = FailureClass::Transient;

    REDRIVE_FIELDS(by, pattern, httpStatus, as)
    friend bool operator==(const ClassRule &, const ClassRule &) = default;
};

// When the delayed retries come. Round 0 is the first delayed retry.
struct Schedule
{
    enum class Kind {
        Linear, // first, 2 x first, 3 x first (NServiceBus: 10, 20, 30 s)
        Exponential, // first x factor^round, at most cap (Azure Service Bus: 5, 10, 20 s)
        List, // as listed; the last one repeats
        Cadence, // at the next turn: offset, offset + every, ... counted from midnight UTC of 1970-01-01 (as in ReportStream)
    };
    friend constexpr Kind lastOf(Kind) { return Kind::Cadence; }

    Kind kind = Kind::Linear;
    core::Milliseconds first = std::chrono::seconds(10);
    double factor = 2; // 1 or more
    std::optional<core::Milliseconds> cap; // nothing: the delays grow until the longest gap ends the retries
    QList<core::Milliseconds> delays;
    core::Milliseconds every{0};
    core::Milliseconds offset{0}; // less than every

    REDRIVE_FIELDS(kind, first, factor, cap, delays, every, offset)
    friend bool operator==(const Schedule &, const Schedule &) = default;
};

// Spreads delayed retries, so that messages that failed together do not come back together.
struct Jitter
{
    enum class Kind {
        None,
        Full, // 0 to the delay
        Equal, // half of the delay to the delay
        Percent, // the delay, plus or minus this share of it
    };
    friend constexpr Kind lastOf(Kind) { return Kind::Percent; }

    Kind kind = Kind::None;
    int percent = 0; // 1 to 100 for Percent

    REDRIVE_FIELDS(kind, percent)
    friend bool operator==(const Jitter &, const Jitter &) = default;
};

// Of a policy that says nothing: full for a schedule that grows exponentially (Azure Service Bus), none for delays that
// are written down (NServiceBus: 10, 20, 30 s), nor for turns.
[[nodiscard]] Jitter jitterByDefault(Schedule::Kind kind);

// A message is not retried at an age of more than 3 x cycle + plus since its first failure (ReportStream, Batch).
struct Backstop
{
    core::Milliseconds cycle{0};
    core::Milliseconds plus = std::chrono::hours(3);

    [[nodiscard]] core::Milliseconds age() const { return 3 * cycle + plus; }

    REDRIVE_FIELDS(cycle, plus)
    friend bool operator==(const Backstop &, const Backstop &) = default;
};

// After so many consecutive failures one message at a time, with a wait between them, until one succeeds (NServiceBus,
// "Automatic rate limiting").
struct RateLimit
{
    int after = 10; // 1 or more
    core::Milliseconds wait = std::chrono::seconds(5);

    REDRIVE_FIELDS(after, wait)
    friend bool operator==(const RateLimit &, const RateLimit &) = default;
};

// What happens to a message that is not retried any more.
struct Exhausted
{
    enum class Do {
        Leave, // it stays unresolved and is marked as exhausted
        Move, // to the queue below
        DeadLetter, // back to the queue that it was taken from, or to the queue below where nothing can be put there
        Notify, // it stays, and a person is told
    };
    friend constexpr Do lastOf(Do) { return Do::Notify; }

    Do what = Do::Leave;
    QString queue; // for Move; may be empty for DeadLetter

    REDRIVE_FIELDS(what, queue)
    friend bool operator==(const Exhausted &, const Exhausted &) = default;
};

// Where a message waits for its delayed retry.
enum class WaitAt {
    Store, // in our store: Redrive sends it when its time has come, and has to run then
    Broker, // at the broker, if it can hold a message so long (delivery.h): Redrive need not run
};
constexpr WaitAt lastOf(WaitAt)
{
    return WaitAt::Broker;
}

// Which rules decide behind those of the policy (classification.h).
enum class BuiltInRules {
    Redrive, // the default of this program, for every framework
    NServiceBus, // the default of NServiceBus: only MessageDeserializationException is permanent
};
constexpr BuiltInRules lastOf(BuiltInRules)
{
    return BuiltInRules::NServiceBus;
}

// The retries are by default those of NServiceBus: 5 immediate and 3 delayed ones after 10, 20 and 30 s.
struct Policy
{
    QString name;
    QList<ClassRule> rules; // tried before the built-in ones (classification.h)
    BuiltInRules builtIn = BuiltInRules::Redrive;
    // Type of an exception: the types that derive from it directly, beside those of exceptiontypes.h.
    QHash<QString, QStringList> subtypes;
    int immediate = 5; // retries without delay in each round
    int delayed = 3; // delayed retries; each one begins a round with the whole immediate budget
    Schedule schedule;
    Jitter jitter;
    WaitAt waitAt = WaitAt::Store;
    // The header in which the application counts its own retries (Azure Service Bus, "Custom Retry Counter"): what it says
    // counts as attempts, and a retry goes on counting there. Empty: none. A retry of
    // anybody else sets it to 0.
    QString counter{};
    std::optional<core::Milliseconds> longestGap; // nothing: see longestGapOf()
    std::optional<Backstop> backstop; // nothing: see backstopOf()
    std::optional<RateLimit> rateLimit; // nothing: off
    Exhausted exhausted;
    std::optional<records::StopWhen> stopWhen; // of each of its retries; amount 0: never; nothing: see stopRuleOf()

    REDRIVE_FIELDS(name, rules, builtIn, subtypes, immediate, delayed, schedule, jitter, waitAt, counter, longestGap,
                   backstop, rateLimit, exhausted, stopWhen)
    friend bool operator==(const Policy &, const Policy &) = default;
};

// NServiceBus, "Delayed retries": at most 24 h between two of them.
inline constexpr core::Milliseconds longestGapByDefault = std::chrono::hours(24);

// The most attempts of one message: (immediate + 1) x (delayed + 1). Source: NServiceBus, "Total number of possible
// retries".
[[nodiscard]] qint64 attemptsOf(const Policy &policy);
// The limit between two delayed retries. Nothing for a cadence that sets none: it keeps its turns, and its backstop
// ends it.
[[nodiscard]] std::optional<core::Milliseconds> longestGapOf(const Policy &policy);
// The age that ends the retries. A cadence that sets none has 3 x its own cycle + 3 h (ReportStream, Batch); the other
// schedules have none then.
[[nodiscard]] std::optional<core::Milliseconds> backstopOf(const Policy &policy);
// The stop rule of its retries (records::StopWhen); nothing: none. A policy that sets none stops at half of the messages,
// but one with a rate limit goes on by itself, because the limit holds back what keeps failing.
[[nodiscard]] std::optional<records::StopWhen> stopRuleOf(const Policy &policy);
// The most turns of its cadence that a message can meet before the backstop: it fails first right before one of them. 0
// for the other schedules.
[[nodiscard]] qint64 turnsBeforeBackstop(const Policy &policy);

} // namespace recovery
