// Values that the retry engine, the intake and the store exchange with each other and with nobody else.
#pragma once

#include "backend/core/ids.h"
#include "backend/records/failurelatency.h"
#include "backend/records/message.h"
#include "backend/records/retry.h"

#include <QList>
#include <QMap>
#include <QStringList>

#include <optional>

namespace store {

// ---- claims ------------------------------------------------------------------------------------------------------

// How the claim of a message that was sent, or may have been sent, ends without the message coming back. Stored as
// numbers: never change their order.
enum class ClaimEndReason {
    None, // an internal reason, which proves nothing
    Acknowledged, // its endpoint confirmed processing: Resolved
    ByHand, // a person says it was processed: Resolved
    TakenBack, // a person wants it sent again: Unresolved, and a possible duplicate
    FailedAgain, // it came back without our stamp: as TakenBack
    Quiet, // it did not come back for the quiet period while its error queues were watched: Resolved
    // A backup was restored: whether the message was sent, and what happened to it, is unknown. This also ends a doubt,
    // because from then on the message's own status says so. A possible duplicate.
    Restored,
};

struct ClaimEnd
{
    ClaimEndReason closure = ClaimEndReason::None;
    core::TimePoint at{};
    QString who; // the person, if one did it
};

// ---- freezing ----------------------------------------------------------------------------------------------------

// Which messages are frozen into a set and which are left out.
struct FreezeRules
{
    // Release: the destination is the queue the message came from
    records::OperationKind kind = records::OperationKind::Retry;
    qint64 asOfChange = 0; // messages with a higher change number arrived or changed since
    bool includeLooped = false;
    std::optional<qint64> limit; // at most this many in the whole operation
    // The queues that the broker has; nothing: unknown, and every destination counts as existing.
    std::optional<QStringList> existing;
    bool namesIgnoreCase = false; // of these queues
    QList<records::Redirect> redirects{}; // in force; the first that matches counts. A Release ignores them
    QList<core::MessageId> misfits{}; // messages of this slice that the edit of the plan does not fit
};

// The messages for one destination.
struct FreezeShare
{
    records::Destination destination; // where they go; where the sources differ, the least certain one
    qint64 count = 0;
    core::TimePoint firstFailed{};
    core::TimePoint lastFailed{};
    qint64 straightBack = 0; // of these, back to the queue they were taken from
    std::optional<records::Destination>
        insteadOf{}; // if redirected: the destination that the messages name themselves, which may be empty
    core::MessageId example{}; // one of these messages
    bool mixed = false; // the messages know their destination from different places

    [[nodiscard]] QString origin() const { return (insteadOf ? *insteadOf : destination).queue; }
    friend bool operator==(const FreezeShare &, const FreezeShare &) = default;
};

// Warnings before these messages are sent. They count frozen messages, except otherTool.
struct FreezeHazards
{
    qint64 fanOut = 0; // reach other consumers than the one that failed
    qint64 derived = 0; // the destination is derived, for example from the name of the queue
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

// What freezing decided about each message of the set: every message is in exactly one of these counts.
struct FreezeTally
{
    qint64 frozen = 0;
    qint64 changed = 0; // written to since asOfChange, or no longer Unresolved
    qint64 arrived = 0; // first stored after asOfChange
    qint64 looped = 0;
    qint64 noDestination = 0;
    qint64 noSuchQueue = 0; // the destination is known but does not exist on the broker
    qint64 possibleDuplicates = 0;
    qint64 heldElsewhere = 0; // another operation has claimed it, or has it in its set
    qint64 notFaithful = 0; // the broker's HTTP interface cannot carry it back unchanged
    qint64 emptyHeaders = 0; // of notFaithful: only because of headers that are null
    qint64 beyondLimit = 0;
    FreezeHazards hazards;
    qint64 browsedOnly = 0; // browsed only: the originals are still in the queue
    QList<FreezeShare> shares; // of the frozen messages, one for each destination and origin
    QList<FreezeShare> missing; // of noSuchQueue, in the same way
    qint64 editMisfits = 0; // would be sent, but the edit of the plan does not fit them
    records::FailureLatency times{}; // how long the counted messages took to fail
    core::MessageId unknownExample{}; // one of noDestination that a redirect could send; none: there is none

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
        emptyHeaders += other.emptyHeaders;
        beyondLimit += other.beyondLimit;
        hazards += other.hazards;
        browsedOnly += other.browsedOnly;
        editMisfits += other.editMisfits;
        times += other.times;
        if (!unknownExample.isValid())
            unknownExample = other.unknownExample;
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
            const records::Destination &said = share.insteadOf ? *share.insteadOf : share.destination;
            const records::Destination &knownSaid = known.insteadOf ? *known.insteadOf : known.destination;
            known.mixed = known.mixed || share.mixed || said.knownFrom != knownSaid.knownFrom;
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
    int attempt = 0; // counts the retries of this message, from 1; 0 before it is claimed
    int stageAttempts = 0; // refusals of this very message
    bool intent = false; // intent log: the intent to send it is stored, the outcome is not
    bool cameBack = false;
    bool possibleDuplicate = false;
    QString reason; // why it was skipped, ejected or is in doubt, as a sentence for people
    std::optional<core::TimePoint> deliverAt{}; // frozen: the broker delivers the copy then; nothing: at once

    friend bool operator==(const RetryMember &, const RetryMember &) = default;
};

struct MemberReason
{
    qint64 ordinal = 0;
    QString reason;
};

// Step recordOutcomes of a staging queue: the outcomes of the staged members. Members that are not named were sent.
struct BatchEnd
{
    QList<MemberReason> ejected;
    QList<MemberReason> inDoubt;
    // The broker or its shovel was interrupted: every member is flagged possible duplicate. A refused one is in doubt
    // too, because it may be the second copy of one that arrived.
    bool possibleDuplicates = false;
};

// Step recordOutcomes of the intent log: the outcome of one intent.
struct IntentOutcome
{
    enum class End {
        Sent,
        Ejected, // clearly refused
        InDoubt,
        NotSent, // certainly not accepted: send it later
        SendAgain, // may have been accepted, and the plan says to send it again: flagged possible duplicate
    };
    qint64 ordinal = 0;
    End end = End::Sent;
    QString reason;
};

// What the claims say about a message that the intake found again.
struct CameBack
{
    bool current = false; // (operation, attempt) match the live claim: it is released and the member is flagged
    core::OperationId operation; // the operation of that member; invalid when not current
    QString stopped{}; // why the stop rule paused that operation in the same transaction; empty: it did not
};

// The queues in which messages of guarded operations may come back.
struct Returns
{
    QStringList sources; // queues the messages were taken from
    QStringList aims; // queues the messages are sent to: each may have a dead-letter queue

    friend bool operator==(const Returns &, const Returns &) = default;
};

// The state of a step of a ramp, beside the counts of its operation.
struct StepState
{
    QMap<QString, qint64> depthsBefore; // message counts of its destinations before the step, where known
    bool awaits = false; // some sent message has neither come back nor is known to be processed
};

} // namespace store
