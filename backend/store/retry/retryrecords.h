// Values that the retry engine, the intake and the store exchange with each other and with nobody else.
#pragma once

#include "backend/core/ids.h"
#include "backend/records/ledger/transitions.h"
#include "backend/records/messages/message.h"
#include "backend/records/retries/frozenshare.h"
#include "backend/records/retries/retrymember.h"
#include "backend/records/rules/failurelatency.h"
#include "backend/records/rules/leftout.h"

#include <QList>
#include <QMap>
#include <QStringList>

#include <optional>

namespace store {

// ---- claims ------------------------------------------------------------------------------------------------------

using records::ClaimEndReason;

struct ClaimEnd
{
    records::ClaimClosing closing;
    core::TimePoint at{};
    QString who; // the person, if one did it
};

// ---- freezing ----------------------------------------------------------------------------------------------------

// Where the endpoints of a plan answer that asks them to confirm (Plan::askEndpoints).
struct AnswerRules
{
    QStringList dialects{}; // whose endpoints can be asked
    QStringList queues{}; // the error queues from which their messages must have been taken
    bool isAllThatIsWatched = false; // after the end of the operation, nobody waits for anything else
};

// Which messages are frozen into a set and which are left out.
struct FreezeRules
{
    // Release: the destination is the queue the message came from, and redirects are from that one
    records::OperationKind kind = records::OperationKind::Retry;
    qint64 asOfChange = 0; // messages with a higher change number arrived or changed since
    bool includeLooped = false;
    std::optional<qint64> limit; // at most this many in the whole operation
    // The queues that the broker has; nothing: unknown, and every destination counts as existing.
    std::optional<QStringList> existing;
    bool namesIgnoreCase = false; // of these queues
    QList<records::Redirect> redirects{}; // in force; the first that matches counts
    QList<core::MessageId> misfits{}; // messages of this slice that the edit of the plan does not fit
    qint64 largestBody = 0; // in bytes; 0: no limit
    bool decimalsAreDoubles = false; // nobody sends AMQP decimals to this broker: MessageFlag::Decimals is no obstacle
    bool includeDuplicates = false; // also possible ones
    AnswerRules answers{};
    QStringList closed{}; // where `existing` is unknown: queues that take no messages
};

// Warnings before these messages are sent. They count frozen messages, except otherTool.
struct FreezeHazards
{
    qint64 fanOut = 0; // reach other consumers than the one that failed
    qint64 derived = 0; // the destination is derived, for example from the name of the queue
    qint64 damaged = 0;
    qint64 amqp10 = 0; // an AMQP 1.0 client sent them: the copies lack what HTTP does not show
    qint64 otherTool = 0; // left out, counted under NoDestination
    // A person took them back, and nobody accounts for the earlier copy: the broker held it for later; it was sent.
    qint64 heldByBroker = 0;
    qint64 takenBack = 0;
    qint64 duplicates = 0; // possible ones, which a person included

    FreezeHazards &operator+=(const FreezeHazards &other)
    {
        fanOut += other.fanOut;
        derived += other.derived;
        damaged += other.damaged;
        amqp10 += other.amqp10;
        otherTool += other.otherTool;
        heldByBroker += other.heldByBroker;
        takenBack += other.takenBack;
        duplicates += other.duplicates;
        return *this;
    }
    friend bool operator==(const FreezeHazards &, const FreezeHazards &) = default;
};

// What freezing decided about each message of the set: every message is frozen or counts under one reason.
struct FreezeTally
{
    qint64 frozen = 0;
    records::LeftOutCounts leftOut;
    qint64 emptyHeaders = 0; // of NotFaithful: only because of headers that are null
    qint64 decimals = 0; // of NotFaithful: only because of numbers that may be AMQP decimals
    FreezeHazards hazards;
    QList<records::FrozenShare> shares; // of the frozen messages, one for each destination and origin
    QList<records::FrozenShare> missing; // of NoSuchQueue, in the same way
    records::FailureLatency times{}; // how long the counted messages took to fail
    qint64 askable = 0; // of the frozen messages: their endpoints can be asked to confirm
    core::MessageId unknownExample{}; // one of NoDestination that a redirect could send; none: there is none

    FreezeTally &operator+=(const FreezeTally &other)
    {
        frozen += other.frozen;
        leftOut += other.leftOut;
        emptyHeaders += other.emptyHeaders;
        decimals += other.decimals;
        hazards += other.hazards;
        times += other.times;
        askable += other.askable;
        if (!unknownExample.isValid())
            unknownExample = other.unknownExample;
        for (const records::FrozenShare &share : other.shares)
            records::addShare(shares, share);
        for (const records::FrozenShare &share : other.missing)
            records::addShare(missing, share);
        return *this;
    }
    friend bool operator==(const FreezeTally &, const FreezeTally &) = default;
};

// ---- members -----------------------------------------------------------------------------------------------------

using records::RetryMember;

struct MemberReason
{
    qint64 ordinal = 0;
    QString reason;
};

// Step recordOutcomes: how the send of a member ended.
struct SendResult
{
    qint64 ordinal = 0;
    records::SendEnd end;
    QString reason{}; // of Unanswered and Ejected
};

// What the claims say about a message that the intake found again.
struct CameBack
{
    bool current = false; // (operation, attempt) match the live claim: it is released and the member is flagged
    core::OperationId operation; // the operation of that member; invalid when not current
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
