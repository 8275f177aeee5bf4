#pragma once

#include "backend/core/clock.h"
#include "backend/core/ids.h"
#include "backend/records/edit.h"
#include "backend/records/rampplan.h"
#include "backend/records/redirect.h"

#include <QString>

#include <optional>

namespace records {

enum class OperationKind { Retry, Release };
enum class OperationState { Freezing, Waiting, Preparing, Running, Paused, Completed, Cancelled };
// Who or what holds a paused operation. Stored as numbers.
enum class PausedBy {
    Nobody, // it is not paused
    Person,
    PauseAll, // "Pause all", and only that: "Resume all" lets it go on
    StopRule, // it stopped by itself, for a person to see why
    StoreCopy, // this store was copied: the original may be sending the same messages
};
enum class BatchStage { MarkingDocuments, Staging, Forwarding, Done };
enum class Outcome { Pending, Claimed, Staged, Sent, Skipped, Ejected, InDoubt, Cancelled };
inline constexpr int outcomeCount = 8;
enum class OnUnknown { LeaveInDoubt, SendAgain };
enum class HandOver { StagingQueue, IntentLog, None };

// What the person asked for; frozen with the operation.
struct Plan
{
    std::optional<qint64> limit; // the first n
    OnUnknown onUnknown = OnUnknown::LeaveInDoubt;
    bool includeLooped = false;
    QString reason;
    std::optional<qint64> perMinute{}; // at most so many messages a minute; nothing: as fast as the broker takes them
    std::optional<core::TimePoint> notBefore{}; // nothing is prepared or sent earlier
    std::optional<Ramp> ramp{}; // nothing: all of it goes as soon as it can
    std::optional<StopWhen> stopWhen{}; // nothing: whatever comes back, it goes on
    std::optional<qint64> mostWaiting{}; // nothing more goes to a destination in which so many wait; nothing: no limit
    QList<Redirect> redirects{}; // of this plan alone
    Edit edit{}; // of the copies that are sent; empty: they go as they failed

    // What comes back is to be seen as long as it goes on, so its queues of failed messages are followed.
    [[nodiscard]] bool isGuarded() const { return ramp || stopWhen; }
};

// From stored outcomes, never from counters in memory: total = the sum of the eight.
struct OutcomeCounts
{
    qint64 pending = 0;
    qint64 claimed = 0;
    qint64 staged = 0;
    qint64 sent = 0;
    qint64 skipped = 0;
    qint64 ejected = 0;
    qint64 inDoubt = 0;
    qint64 cancelled = 0;
    qint64 cameBack = 0; // a flag on sent or in doubt, not a part of the sum
    qint64 possibleDuplicates = 0; // likewise

    [[nodiscard]] qint64 sum() const
    {
        return pending + claimed + staged + sent + skipped + ejected + inDoubt + cancelled;
    }
    [[nodiscard]] qint64 ended() const { return sent + skipped + ejected + inDoubt + cancelled; }
    friend bool operator==(const OutcomeCounts &, const OutcomeCounts &) = default;
};

struct RetryOperation
{
    core::OperationId id;
    core::ConnectionId connection;
    OperationKind kind = OperationKind::Retry;
    OperationState state = OperationState::Freezing;
    HandOver handOver = HandOver::None;
    QString scope; // the plan's sentence
    QString who;
    Plan plan;
    qint64 total = 0; // frozen
    core::TimePoint requested{};
    std::optional<core::TimePoint> started;
    std::optional<core::TimePoint> finished;
    QString waitingReason; // why nothing moves at the moment, for people; empty when it moves
    OutcomeCounts counts;
    PausedBy pausedBy = PausedBy::Nobody;
    QString pausedWho{}; // the person, where one paused it
    std::optional<core::TimePoint> pausedAt{};
    core::Milliseconds rested{}; // how long it was paused since it started, all pauses together but the one it is in
    QString stoppedBecause{}; // why it paused by itself, for people; empty: it did not, or goes on again
    int provedSteps = 0; // of its ramp
    qint64 forgiven = 0; // what had come back when a person let it go on: it does not stop for these once more
    qint64 sentBefore = 0; // what had been sent then, or is in doubt

    // Nobody holds it any more. What it rested before it started does not count.
    void endPause(core::TimePoint at);
};

struct RetryBatch
{
    core::BatchId id;
    core::OperationId operation;
    core::ConnectionId connection;
    int number = 0; // 1 .. batches of the operation
    qint64 firstOrdinal = 0;
    qint64 lastOrdinal = 0;
    QString session; // the run of the engine that made it
    BatchStage stage = BatchStage::MarkingDocuments;
    QString stagingId; // names one attempt to stage; empty before the first
    QString place; // the staging place of that attempt on the broker; empty with the ledger
    QString mark; // what the broker wants to know again about its forwarding after a crash
    int stagedCount = 0; // set when it enters Forwarding
    OutcomeCounts counts;

    [[nodiscard]] qint64 size() const { return counts.sum(); } // its ordinals may have gaps
};

// Not at its end: it may still send.
[[nodiscard]] bool isLive(OperationState state);
// More came back than its plan allows: of what was sent since it began, or since a person let it go on. A share is taken of
// a hundred messages at least, or of all that may go yet, so that the first few do not decide about thousands.
[[nodiscard]] bool hasTooManyBack(const RetryOperation &operation);
// The most members that one batch may have: with a rate the worth of a second, for a staging queue empties a thousand in a
// moment; never more than may wait at one destination.
[[nodiscard]] int largestBatch(const Plan &plan);
[[nodiscard]] QString toString(OperationState state); // "Running": JSON and logs
[[nodiscard]] QString toString(PausedBy by); // "stop rule": JSON and logs; empty for Nobody
[[nodiscard]] QString toString(BatchStage stage); // "Marking Documents", "Staging", "Forwarding", "Done"
[[nodiscard]] QString toString(Outcome outcome);
[[nodiscard]] QString rateText(qint64 perMinute); // "20/s", "30/min"

} // namespace records
