#pragma once

#include "backend/core/fields.h"
#include "backend/core/ids.h"
#include "backend/core/time/clock.h"
#include "backend/records/conventions/convention.h"
#include "backend/records/editing/edit.h"
#include "backend/records/retries/redirect.h"
#include "backend/records/rules/rampplan.h"

#include <QString>

#include <optional>

namespace records {

enum class OperationKind { Retry, Release };
constexpr OperationKind lastOf(OperationKind)
{
    return OperationKind::Release;
}
enum class OperationState { Freezing, Waiting, Preparing, Running, Paused, Completed, Cancelled };
constexpr OperationState lastOf(OperationState)
{
    return OperationState::Cancelled;
}
// Whether the operation may still send: it is neither completed nor cancelled.
[[nodiscard]] bool isLive(OperationState state);
// Whether it sends without a person: its set is frozen, it is live, and nobody paused it.
[[nodiscard]] bool mayGoOn(OperationState state);
// Who or what paused an operation. Stored as numbers.
enum class PausedBy {
    Nobody, // it is not paused
    Person,
    PauseAll, // "Pause all"; only such an operation goes on with "Resume all"
    StopRule, // it paused by itself, and a person must see why
    StoreCopy, // this store is a copy: the original may be sending the same messages
};
constexpr PausedBy lastOf(PausedBy)
{
    return PausedBy::StoreCopy;
}
enum class BatchStage { MarkingDocuments, Staging, Forwarding, Done };
constexpr BatchStage lastOf(BatchStage)
{
    return BatchStage::Done;
}
// What became of a message of an operation. Stored as numbers.
enum class Outcome { Pending, Claimed, Staged, Sent, Skipped, Ejected, InDoubt, Cancelled };
constexpr Outcome lastOf(Outcome)
{
    return Outcome::Cancelled;
}
inline constexpr int outcomeCount = int(lastOf(Outcome{})) + 1;
// The operation will do nothing more with the message.
[[nodiscard]] bool hasEnded(Outcome outcome);
// The message has reached its destination, or may have.
[[nodiscard]] bool mayHaveArrived(Outcome outcome);
// What happens to a message that was sent without an answer.
enum class OnUnknown { LeaveInDoubt, SendAgain };
constexpr OnUnknown lastOf(OnUnknown)
{
    return OnUnknown::SendAgain;
}
// How the copies of a batch get to the broker: through a staging queue there, or one by one with an intent log in the
// store. None: not decided yet, or nothing can be sent.
enum class HandOver { StagingQueue, IntentLog, None };
constexpr HandOver lastOf(HandOver)
{
    return HandOver::None;
}

// What the person chose. It does not change after the operation is confirmed.
struct Plan
{
    std::optional<qint64> limit; // only the first messages; nothing: all
    OnUnknown onUnknown = OnUnknown::LeaveInDoubt;
    bool includeLooped = false; // also messages that came back limits::loopGuardCameBack times or more
    bool includeDuplicates = false; // also possible duplicates (MessageFlag): what is sent of them stays flagged
    QString reason; // given by the person
    std::optional<qint64> perMinute{}; // most messages per minute; nothing: as fast as the broker accepts them
    std::optional<core::TimePoint> notBefore{}; // no message is prepared or sent before this time
    std::optional<Ramp> ramp{}; // nothing: no ramp
    std::optional<StopWhen> stopWhen{}; // nothing: no stop rule
    std::optional<qint64> mostWaiting{}; // waiting limit: messages that a destination may hold; nothing: no limit
    QList<Redirect> redirects{}; // only for this plan
    Edit edit{}; // of the copies that are sent; empty: no change
    // A person accepts what destinations drop by their own limits. False: Redrive keeps below the limit of a queue that
    // drops its oldest messages, and a plan that loses messages for certain is refused.
    bool acceptDrops = false;
    bool keepOrder =
        false; // copies reach each destination in the order of the set; slower, and only with a staging queue
    // Endpoints that know how are asked to confirm each message that they handled, in the error queue from which it was
    // taken (dialect/confirmation.h). Off by default: nobody else may find such an answer in a queue of theirs.
    bool askEndpoints = false;
    // The most of the broker's time that Redrive takes while this runs, in percent (retry/gates/brokerpace.h), and less while
    // the broker says that it has too much to do; nothing: no limit.
    std::optional<qint64> brokerShare{};

    // True if Redrive must see what comes back while the operation runs: it then keeps taking from the error queues.
    [[nodiscard]] bool isGuarded() const { return ramp || stopWhen; }

    REDRIVE_FIELDS(limit, onUnknown, includeLooped, includeDuplicates, perMinute, notBefore, ramp, stopWhen, mostWaiting, reason,
                   redirects, edit, acceptDrops, keepOrder, askEndpoints, brokerShare)
};

// How many messages have each outcome. Counted from the stored outcomes, never from counters in memory: the first eight
// add up to the total of the operation.
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
    qint64 cameBack = 0; // messages among those sent or in doubt; not a part of the sum
    qint64 possibleDuplicates = 0; // likewise

    [[nodiscard]] qint64 sum() const
    {
        return pending + claimed + staged + sent + skipped + ejected + inDoubt + cancelled;
    }
    [[nodiscard]] qint64 open() const { return pending + claimed + staged; }
    [[nodiscard]] qint64 ended() const { return sent + skipped + ejected + inDoubt + cancelled; }
    REDRIVE_FIELDS(pending, claimed, staged, sent, skipped, ejected, inDoubt, cancelled, cameBack, possibleDuplicates)
    friend bool operator==(const OutcomeCounts &, const OutcomeCounts &) = default;
};

struct RetryOperation
{
    core::OperationId id;
    core::ConnectionId connection;
    OperationKind kind = OperationKind::Retry;
    OperationState state = OperationState::Freezing;
    HandOver handOver = HandOver::None;
    QString scope; // the selected messages in words, for people
    QString who;
    QString policy{}; // the recovery policy that issued it; empty: a person did
    core::AssignmentId assignment{}; // of that policy
    Plan plan;
    Conventions conventions{}; // as they were when the set was frozen; lists of operations do not fill it in
    qint64 total = 0; // messages in the frozen set
    core::TimePoint requested{};
    std::optional<core::TimePoint> started;
    std::optional<core::TimePoint> finished;
    QString waitingReason; // why nothing is sent at the moment, for people; empty: it makes progress
    OutcomeCounts counts;
    PausedBy pausedBy = PausedBy::Nobody;
    QString pausedWho{}; // the person who paused it
    std::optional<core::TimePoint> pausedAt{};
    core::Milliseconds rested{}; // the sum of its pauses since it started, without the current one
    QString stoppedBecause{}; // why it paused by itself, for people; empty: it did not, or was resumed
    int provedSteps = 0; // steps of its ramp that are proved good
    qint64 forgiven = 0; // messages that had come back when a person resumed it: the stop rule no longer counts them
    qint64 sentBefore = 0; // messages sent or in doubt at that time

    // Ends the pause and adds its length to `rested`. Time before the start of the operation does not count.
    void endPause(core::TimePoint at);
    // No message of it is left to be sent or cancelled.
    [[nodiscard]] bool hasEnded() const;

    REDRIVE_FIELDS(id, connection, kind, state, handOver, scope, who, plan, total, requested, started, finished,
                   waitingReason, counts, stoppedBecause, provedSteps, forgiven, sentBefore, pausedBy, pausedWho,
                   pausedAt, rested, policy, assignment)
};

struct RetryBatch
{
    core::BatchId id;
    core::OperationId operation;
    core::ConnectionId connection;
    int number = 0; // 1 .. batches of the operation
    qint64 firstOrdinal = 0;
    qint64 lastOrdinal = 0;
    QString session; // the run of the engine that created the batch
    BatchStage stage = BatchStage::MarkingDocuments;
    QString stagingId; // names one attempt to stage the batch; empty before the first attempt
    QString place; // the staging queue of that attempt on the broker; empty with an intent log
    QString mark; // what the broker layer needs to continue forwarding after a crash
    int stagedCount = 0; // set when the stage Forwarding begins
    OutcomeCounts counts;

    [[nodiscard]] qint64 size() const { return counts.sum(); } // not lastOrdinal - firstOrdinal + 1: there may be gaps

    REDRIVE_FIELDS(id, operation, connection, number, firstOrdinal, lastOrdinal, session, stage, stagingId, stagedCount,
                   counts)
};

// The most messages that one batch may have. With a rate, the messages of one second, because a staging queue is
// emptied in a moment; with a share of the broker, what it takes in less than a second; never more than may wait at one
// destination.
[[nodiscard]] int largestBatch(const Plan &plan);
[[nodiscard]] QString toString(OperationState state); // "Running": for JSON and logs
[[nodiscard]] QString toString(PausedBy by); // "stop rule": for JSON and logs; empty for Nobody
[[nodiscard]] QString toString(BatchStage stage); // "Marking Documents", "Staging", "Forwarding", "Done"
[[nodiscard]] QString toString(Outcome outcome);
[[nodiscard]] QString rateText(qint64 perMinute); // "20/s", "30/min"
inline constexpr int mostBrokerShare = 90; // percent: more is no restraint

} // namespace records
