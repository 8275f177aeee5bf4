// The history of a message as sentences for people. Who knows the facts (the store) collects them; this says them.
#pragma once

#include "backend/records/messages/exportedmessage.h"
#include "backend/records/retries/retrymember.h"

#include <QList>

#include <optional>

namespace records {

// One retry or release of the message.
struct MessageRetry
{
    core::OperationId operation;
    OperationKind kind = OperationKind::Retry;
    std::optional<qint64> batch{}; // its number
    Outcome outcome = Outcome::Pending;
    QString destination;
    QString reason; // of the outcome
    bool cameBack = false;
    bool possibleDuplicate = false;
    QString who;
    core::TimePoint began{};
    std::optional<core::TimePoint> ended{}; // the end of the operation
    std::optional<core::TimePoint> sentFrom{}; // the copies of its batch were sent between these two times
    std::optional<core::TimePoint> sentUntil{};
    ClaimEndReason closure = ClaimEndReason::None;
    std::optional<core::TimePoint> closed{};
    QString closedBy;
    std::optional<core::Milliseconds> quietFor{}; // Quiet: how long it was watched
    bool edited = false; // the copy was edited
    std::optional<core::TimePoint> deliverAt{}; // the broker delivers the copy then
};

// What a person decided about it.
struct MessageDecision
{
    core::TimePoint at{};
    MessageStatus status = MessageStatus::Unresolved; // the message had it from then on
    QString who;
};

struct MessageHistory
{
    QList<ProcessingAttempt> failures; // newest first; the oldest may be missing
    bool hasFirst = true; // the first failure is among them
    bool isBrowsedOnly = false;
    std::optional<records::ImportedFrom> imported{};
    QList<MessageRetry> retries; // oldest first
    QList<MessageDecision> decisions; // oldest first
};

// Oldest first.
[[nodiscard]] QList<TrailEntry> trailOf(const MessageHistory &history);

} // namespace records
