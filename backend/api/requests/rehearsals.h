// Requests about rehearsals: a copy of failed messages goes through a retry or a policy in an environment of its own, where a
// stand-in takes the place of their services. No real broker is called, and the store only gets an entry in its
// activity log. Counts are messages, spans count from the beginning of the rehearsal, in simulated time.
#pragma once

#include "backend/api/request.h"
#include "backend/api/requests/retryplan.h"
#include "backend/api/unreadable.h"

#include <optional>

namespace api {

// On which messages the stand-in fails, and for how long. Each fails as it did in reality. The parts combine: 30 % of
// the messages of a cause, for 60 s.
struct RehearsalFaults
{
    std::optional<int> share; // of 10,000 messages, by the seed; nothing: all
    QString cause; // a pattern (records/glob.h) for the type or the text of the exception; empty: any
    std::optional<core::Milliseconds> lasting; // from the beginning; nothing: for good

    [[nodiscard]] bool isNone() const { return !share && cause.isEmpty() && !lasting; } // it fails on no message

    static constexpr int wholeShare = 10000;

    REDRIVE_FIELDS(share, cause, lasting)
    friend bool operator==(const RehearsalFaults &, const RehearsalFaults &) = default;
};

// How many messages have one cause, or one reason.
struct RehearsalCount
{
    QString what; // for people; text from messages
    qint64 count = 0;

    REDRIVE_FIELDS(what, count)
    friend bool operator==(const RehearsalCount &, const RehearsalCount &) = default;
};

// All first retries, all second ones, and so on.
struct RehearsalRound
{
    int retry = 1; // from 1
    bool delayed = false; // by a policy
    core::Milliseconds first{0}; // when the first and the last of them reached the stand-in
    core::Milliseconds last{0};
    qint64 tried = 0;
    qint64 failed = 0;

    REDRIVE_FIELDS(retry, delayed, first, last, tried, failed)
    friend bool operator==(const RehearsalRound &, const RehearsalRound &) = default;
};

// A time in which the rate limit of the policy let one message through at a time.
struct RehearsalProbing
{
    core::Milliseconds started{0};
    std::optional<core::Milliseconds> ended; // nothing: it went on to the end
    int failuresBefore = 0;
    int failedProbes = 0;

    REDRIVE_FIELDS(started, ended, failuresBefore, failedProbes)
    friend bool operator==(const RehearsalProbing &, const RehearsalProbing &) = default;
};

// A stop rule that paused the retry or the policy.
struct RehearsalStop
{
    core::Milliseconds at{0};
    QString why; // for people
    qint64 sent = 0; // until then

    REDRIVE_FIELDS(at, why, sent)
    friend bool operator==(const RehearsalStop &, const RehearsalStop &) = default;
};

// What the retry or the policy would have done.
struct RehearsalReport
{
    QString policy; // its name; empty: it was a retry
    qint64 selected = 0; // messages of the selection
    qint64 copied = 0; // of these
    qint64 beyondLimit = 0; // not copied: more than atMost, or too large together
    qint64 browsedOnly = 0; // not copied: their originals are still in their queues
    Unreadable unreadable{}; // not copied

    qint64 sent = 0; // copies, every retry of a message counted
    qint64 processed = 0; // different messages
    qint64 processedTwice = 0; // of these
    qint64 permanent = 0; // of these: their failure is permanent by its class, so without a repair they fail again
    qint64 cameBack = 0; // copies that failed again
    QList<RehearsalCount> cameBackBy; // by cause, the most frequent first; at most `mostRows`
    qint64 immediateRetries = 0; // of a policy
    qint64 delayedRetries = 0;
    qint64 moved = 0; // given up by the policy and sent to another queue
    qint64 leftForAPerson = 0; // unresolved in the end
    QList<RehearsalCount> leftBy; // why; likewise
    qint64 unaccounted = 0; // copies of which nobody knows what became of them: always 0

    QList<RehearsalRound> rounds; // in the order of their retries; at most `mostRows`
    QList<RehearsalProbing> probing; // in order; at most `mostRows`
    std::optional<RehearsalStop> stopped; // nothing: no stop rule paused it
    core::Milliseconds took{0}; // until the last message was processed or given up
    bool isOver = true; // false: it did not end within the longest simulated time
    qint64 seed = 1;
    bool masked = false;

    static constexpr int mostRows = 50;

    REDRIVE_FIELDS(policy, selected, copied, beyondLimit, browsedOnly, unreadable, sent, processed, processedTwice,
                   permanent, cameBack, cameBackBy, immediateRetries, delayedRetries, moved, leftForAPerson, leftBy,
                   unaccounted, rounds, probing, stopped, took, isOver, seed, masked)
    friend bool operator==(const RehearsalReport &, const RehearsalReport &) = default;
};

// Rehearses a retry or a policy with copies of these messages. The same seed and the same messages give the same
// report. Answers when it has ended; an engine runs one at a time. Rejected: a share, number or policy is wrong; the
// message names it. NotFound: no message matches, or there is no such policy. Conflict: another rehearsal is running.
// Refused: all messages are browsed only, or the plan is not possible. Cancelled: by CancelWork.
struct Rehearse
{
    using Answer = RehearsalReport;
    static constexpr RequestRules rules{"Rehearse", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {records::Right::See, retry.filter}; }
    [[nodiscard]] QString activity() const { return Text::tr("Rehearsed"); }

    static constexpr int defaultMost = 500;
    static constexpr int most = 5000;

    RetryDraft retry; // which messages; its plan counts if there is no policy
    QString policy; // the name of a stored policy; empty: none
    QByteArray policyFile; // JSON (recovery/policyfile.h); comes before the name; empty: none
    RehearsalFaults faults;
    bool mask = false; // replace letters and digits in the bodies of the copies
    int atMost = defaultMost; // copies
    qint64 seed = 1; // 0 or more
    QString ticket; // chosen by whoever asks, for AskRehearsal and CancelWork

    REDRIVE_FIELDS(retry, policy, policyFile, faults, mask, atMost, seed, ticket)
};

// How far a rehearsal is.
struct RehearsalProgress
{
    qint64 copied = 0;
    qint64 sent = 0;
    qint64 processed = 0;
    core::Milliseconds simulated{0};

    REDRIVE_FIELDS(copied, sent, processed, simulated)
};

// NotFound: no rehearsal with this ticket is running.
struct AskRehearsal
{
    using Answer = RehearsalProgress;
    static constexpr RequestRules rules{"AskRehearsal", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {}; }
    [[nodiscard]] QString activity() const { return {}; }

    QString ticket;

    REDRIVE_FIELDS(ticket)
};

// "30%" or "0.5%" as a share of 10,000. Nothing for any other text and for less than 0.01 or more than 100 %.
[[nodiscard]] std::optional<int> rehearsalShareFrom(QStringView text);

// The outcome for people: one sentence, then rows of a number or time and what it is. Only rows that say something.
struct RehearsalText
{
    QString sentence;
    QList<std::pair<QString, QString>> rows; // what it is, its value
};
[[nodiscard]] RehearsalText textOf(const RehearsalReport &report);
// "Retry 2, delayed".
[[nodiscard]] QString roundName(const RehearsalReport &report, const RehearsalRound &round);

} // namespace api
