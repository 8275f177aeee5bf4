#pragma once

#include "backend/core/fields.h"
#include "backend/core/ids.h"
#include "backend/core/time/clock.h"
#include "backend/records/messages/headers.h"

#include <QStringList>

#include <array>
#include <optional>

namespace records {

// Stored as numbers.
enum class MessageStatus {
    Unresolved,
    RetryIssued,
    Resolved,
    Archived,
    Released,
    // "State before restore unknown": the message comes from a restored backup, and what happened to it since the
    // backup is unknown. It may have been sent or settled. It is left out of every set until intake finds it or a
    // person decides.
    Unknown,
};
constexpr MessageStatus lastOf(MessageStatus)
{
    return MessageStatus::Unknown;
}
inline constexpr std::array messageStatuses = {MessageStatus::Unresolved, MessageStatus::RetryIssued,
                                               MessageStatus::Resolved,   MessageStatus::Archived,
                                               MessageStatus::Released,   MessageStatus::Unknown};

// How sure the queue is that a message goes back to. FanOut: an exchange or topic that reaches others too. Derived:
// taken from a name, so it may be wrong.
enum class Certainty { Unknown, FanOut, Derived, Exact };
constexpr Certainty lastOf(Certainty)
{
    return Certainty::Exact;
}

struct Destination
{
    QString queue; // empty: unknown
    Certainty certainty = Certainty::Unknown;
    QString knownFrom; // the header or rule that names the queue, for people: "NServiceBus.FailedQ"

    REDRIVE_FIELDS(queue, certainty, knownFrom)
    friend bool operator==(const Destination &, const Destination &) = default;
};

// What a message says about its failure. Every field may be empty.
struct Failure
{
    QString exceptionType;
    QString exceptionMessage;
    QString stackTrace;
    QString endpoint; // logical name of the program that processed the message
    QString host; // the instance of it
    std::optional<core::TimePoint> at; // as the message says

    REDRIVE_FIELDS(exceptionType, exceptionMessage, stackTrace, endpoint, host, at)
    friend bool operator==(const Failure &, const Failure &) = default;
};

// What the broker said about a message beside its content when it was received. It is needed to read the message again.
struct Receipt
{
    QString origin; // the queue from which it was dead-lettered; empty: unknown
    std::optional<int> deliveryCount;
    std::optional<core::TimePoint> enqueuedAt;
    QStringList lossyHeaders; // the broker's interface cannot send these back as they were
    QStringList maybeDecimals{}; // likewise, if their numbers are AMQP decimals

    friend bool operator==(const Receipt &, const Receipt &) = default;
};

// Reasons to leave a message out of bulk sets or to warn. Stored as bits.
enum class MessageFlag {
    Undecodable = 1, // stored as it is, dialect unknown
    NotFaithful = 2, // it has headers that the HTTP interface of this broker cannot send back unchanged
    PossibleDuplicate = 4, // it may be a copy of another record: left out of bulk sets until a person decides
    ForeignStamp = 8, // another store retried it before
    OtherTool = 16, // only the tool of its framework can return it: left out of every retry
    Damaged = 32, // its framework damaged the body: a retry does not send what failed
    Shortened = 64, // its framework shortened the text about the failure
    BrowsedOnly = 128, // browsed only: the original is still in its queue, so this record cannot be acted on
    EmptyHeaders = 256, // NotFaithful only because of headers that are null: without them it could be sent
    Decimals = 512, // NotFaithful only because of numbers in its headers that may be AMQP decimals
    Amqp10 = 1024, // an AMQP 1.0 client sent it: HTTP does not show all of it, so a retry does not send all of it
};
Q_DECLARE_FLAGS(MessageFlags, MessageFlag)
Q_DECLARE_OPERATORS_FOR_FLAGS(MessageFlags)

// The record of one failed message in the store. Its headers and body are read separately, because they are large.
struct FailedMessage
{
    core::MessageId id;
    QString uniqueId; // 32 hex digits, the same for every failure of this message
    core::ConnectionId connection;
    QString queue; // where it was found
    QString dialect; // the failure-header convention that it follows; see backend/dialect
    MessageStatus status = MessageStatus::Unresolved;
    qint64 change = 0; // the change number of the store at the last write to this record
    QString nativeId; // the id that the broker gave it in that queue
    QString messageId; // the id that the application gave it
    QString messageType;
    QString correlationId;
    QString conversationId;
    Failure failure; // the newest
    core::TimePoint firstFailed{};
    core::TimePoint lastFailed{};
    int attempts = 1; // failures that this store has seen
    int cameBack = 0; // failures among them after one of our retries
    Destination destination;
    MessageFlags flags;
    qint64 bodySize = 0;
    QStringList conventions; // names of those with which it was read; lists of messages do not fill it in
};

// One failure of one message.
struct ProcessingAttempt
{
    core::TimePoint takenAt{};
    Failure failure;
    QString queue;
};

[[nodiscard]] QString toString(MessageStatus status); // "unresolved", "retryissued", ...: command line and JSON
[[nodiscard]] std::optional<MessageStatus> messageStatusFrom(QStringView text);

// The five ways to group by cause.
enum class Classifier { ExceptionAndStack, MessageType, EndpointAddress, EndpointName, EndpointInstance };
inline constexpr int classifierCount = 5;
[[nodiscard]] QString toString(Classifier classifier); // "exception", "type", "address", "endpoint", "instance"
[[nodiscard]] std::optional<Classifier> classifierFrom(QStringView text);

} // namespace records
