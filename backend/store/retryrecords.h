// Values that only the retry engine, intake and the store exchange.
#pragma once

#include "backend/core/ids.h"
#include "backend/records/failurelatency.h"
#include "backend/records/message.h"
#include "backend/records/retry.h"

#include <QHash>
#include <QList>
#include <QStringList>

#include <optional>

namespace store {

// ---- claims ------------------------------------------------------------------------------------------------------

// How the claim of a message that was sent, or may have been, ends without the message coming back. Stored as numbers.
enum class ClaimEndReason {
    None, // it ends for a reason of our own, which is no evidence
    Acknowledged, // its endpoint said that it was processed: Resolved
    ByHand, // a person says that it was processed: Resolved
    TakenBack, // a person wants it to be sent again: Unresolved, and a possible duplicate
    FailedAgain, // it came back without our stamp: likewise
    Quiet, // it did not come back for long enough, while its queues of failed messages were watched: Resolved
    // A backup was restored: whether the message was sent, and what came of it, is not known. A doubt ends with it, too,
    // because the message itself carries it from then on. A possible duplicate.
    Restored,
};

struct ClaimEnd
{
    ClaimEndReason closure = ClaimEndReason::None;
    core::TimePoint at{};
    QString who; // of a person
};

// ---- freezing ----------------------------------------------------------------------------------------------------

// What is taken into a set and what is left out of it.
struct FreezeRules
{
    records::OperationKind kind = records::OperationKind::Retry; // Release: the destination is the queue of origin
    qint64 asOfChange = 0; // messages with a higher change number have changed, or arrived, since
    bool includeLooped = false;
    std::optional<qint64> limit; // at most so many in the whole operation
    // The queues that the broker has; nothing: not known, and every destination counts as there.
    std::optional<QStringList> existing;
    bool namesIgnoreCase = false; // of these queues
    QList<records::Redirect> redirects{}; // in force, the first that fits counts; a Release ignores them
    QList<core::MessageId> misfits{}; // of this slice: the edit of the plan does not fit them
};

// What goes to one destination.
struct FreezeShare
{
    records::Destination destination; // where it goes; the least sure one, when it is known from several places
    qint64 count = 0;
    core::TimePoint firstFailed{};
    core::TimePoint lastFailed{};
    qint64 straightBack = 0; // of them, to the very queue they were taken from
    std::optional<records::Destination>
        insteadOf{}; // redirected: what the messages say themselves, which may be nothing

    [[nodiscard]] QString origin() const { return (insteadOf ? *insteadOf : destination).queue; }
    friend bool operator==(const FreezeShare &, const FreezeShare &) = default;
};

// What a person should know before these go. Of the frozen messages, but for otherTool.
struct FreezeHazards
{
    qint64 fanOut = 0; // reach others than the one who failed
    qint64 derived = 0; // the destination is concluded, say from the name of the queue
    qint64 damaged = 0;
    qint64 otherTool = 0; // left out, counted under noDestination

    FreezeHazards &operator+=(const FreezeHazards &other)
    {
        fanOut += other.fanOut;
        derived += other.derived;
        damaged += other.damaged;
        otherTool += other.otherTool;
        return *this;
    }
    friend bool operator==(const FreezeHazards &, const FreezeHazards &) = default;
};

// Where every message that was looked at went: exactly one of these counts.
struct FreezeTally
{
    qint64 frozen = 0;
    qint64 changed = 0; // written to since asOfChange, or not Unresolved any more
    qint64 arrived = 0; // first stored after asOfChange
    qint64 looped = 0;
    qint64 noDestination = 0;
    qint64 noSuchQueue = 0; // the destination is known and does not exist on the broker
    qint64 possibleDuplicates = 0;
    qint64 heldElsewhere = 0; // another operation has claimed it, or is going to
    qint64 notFaithful = 0; // the broker's HTTP interface cannot carry it back unchanged
    qint64 beyondLimit = 0;
    FreezeHazards hazards;
    qint64 browsedOnly = 0; // the originals lie in the queue
    QList<FreezeShare> shares; // of what is frozen, one for each queue and origin
    QList<FreezeShare> missing; // of noSuchQueue, likewise
    qint64 editMisfits = 0; // would go, but the edit of the plan does not fit them
    records::FailureLatency times{}; // how long what was looked at took to fail

    FreezeTally &operator+=(const FreezeTally &other)
    {
        frozen += other.frozen;
        changed += other.changed;
        arrived += other.arrived;
        looped += other.looped;
        noDestination += other.noDestination;
        noSuchQueue += other.noSuchQueue;
        possibleDuplicates += other.possibleDuplicates;
        heldElsewhere += other.heldElsewhere;
        notFaithful += other.notFaithful;
        beyondLimit += other.beyondLimit;
        hazards += other.hazards;
        browsedOnly += other.browsedOnly;
        editMisfits += other.editMisfits;
        times += other.times;
        for (const FreezeShare &share : other.shares)
            add(shares, share);
        for (const FreezeShare &share : other.missing)
            add(missing, share);
        return *this;
    }
    static void add(QList<FreezeShare> &shares, const FreezeShare &share)
    {
        for (FreezeShare &known : shares) {
            if (known.destination.queue != share.destination.queue || known.origin() != share.origin())
                continue;
            if (share.destination.certainty < known.destination.certainty)
                known.destination = share.destination;
            if (known.insteadOf && share.insteadOf && share.insteadOf->certainty < known.insteadOf->certainty)
                known.insteadOf = share.insteadOf;
            known.count += share.count;
            known.straightBack += share.straightBack;
            known.firstFailed = std::min(known.firstFailed, share.firstFailed);
            known.lastFailed = std::max(known.lastFailed, share.lastFailed);
            return;
        }
        shares.append(share);
    }
    friend bool operator==(const FreezeTally &, const FreezeTally &) = default;
};

// ---- members -----------------------------------------------------------------------------------------------------

struct RetryMember
{
    core::OperationId operation;
    qint64 ordinal = 0; // 1 .. total, the frozen order
    core::MessageId message;
    QString uniqueId;
    QString destination; // frozen, redirects applied
    core::BatchId batch; // none while Pending
    records::Outcome outcome = records::Outcome::Pending;
    int attempt = 0; // the retry of this message within its life, from 1; 0 before it was claimed
    int stageAttempts = 0; // answers about this very message
    bool intent = false; // ledger: the intent to send it is on disk, its outcome is not
    bool cameBack = false;
    bool possibleDuplicate = false;
    QString reason; // why it was skipped, ejected or is in doubt, for people

    friend bool operator==(const RetryMember &, const RetryMember &) = default;
};

struct MemberReason
{
    qint64 ordinal = 0;
    QString reason;
};

// What a batch's end does to its staged members; those not named were sent.
struct BatchEnd
{
    QList<MemberReason> ejected;
    QList<MemberReason> inDoubt;
    // Broker or mover were interrupted: every member is flagged. What was refused is in doubt, too, because it may be the
    // second copy of one that arrived.
    bool possibleDuplicates = false;
};

// L2: what became of one intent.
struct IntentOutcome
{
    enum class End {
        Sent,
        Ejected, // clear refusal
        InDoubt,
        NotSent, // certainly not taken: it is to be sent later
        SendAgain, // may have been taken, and the plan wants it sent again: flagged possible duplicate
    };
    qint64 ordinal = 0;
    End end = End::Sent;
    QString reason;
};

// What a claim says about the message that intake found.
struct CameBack
{
    bool current = false; // (operation, attempt) were the claim's: it is released and the member flagged
    core::OperationId operation; // the operation whose member was flagged; none when not current
    QString stopped{}; // why that operation paused in the same transaction; empty: it did not
};

// Where the messages of guarded operations may show up again.
struct Returns
{
    QStringList sources; // queues they were taken from
    QStringList aims; // queues they go to: each may have dead letters of its own

    friend bool operator==(const Returns &, const Returns &) = default;
};

// What a step of a ramp has come to, beside the counts of its operation.
struct StepState
{
    QHash<QString, qint64> depthsBefore; // of its destinations, where they were known
    bool awaits = false; // of what was sent, something neither came back nor is known to be processed
};

} // namespace store
