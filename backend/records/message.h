#pragma once

#include "backend/core/clock.h"
#include "backend/core/ids.h"
#include "backend/records/headers.h"

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
    // "State before restore unknown": the message comes from a backup that was restored, and what became of it since the backup
    // is not known: it may have been sent, or settled. No set takes it until intake sees it, or a person decides.
    Unknown,
};
inline constexpr std::array messageStatuses = {MessageStatus::Unresolved, MessageStatus::RetryIssued,
                                               MessageStatus::Resolved,   MessageStatus::Archived,
                                               MessageStatus::Released,   MessageStatus::Unknown};

// How sure we are of the queue that a message goes back to.
enum class Certainty { Unknown, FanOut, Derived, Exact };

struct Destination
{
    QString queue; // empty: unknown
    Certainty certainty = Certainty::Unknown;
    QString knownFrom; // the header or rule that said so, for people: "NServiceBus.FailedQ"

    friend bool operator==(const Destination &, const Destination &) = default;
};

// What one failure says about itself; every field may be empty.
struct Failure
{
    QString exceptionType;
    QString exceptionMessage;
    QString stackTrace;
    QString endpoint; // logical name of the processor
    QString host; // instance that failed
    std::optional<core::TimePoint> at; // as the message says
};

// Reasons to leave a message out of bulk sets, or to warn. Stored as bits.
enum class MessageFlag {
    Undecodable = 1, // stored as it is, dialect unknown
    NotFaithful = 2, // headers that this broker's HTTP interface cannot carry back unchanged
    PossibleDuplicate = 4, // may be a second copy of another record: out of bulk sets until a person decides
    ForeignStamp = 8, // retried before by another store
    OtherTool = 16, // only the tool of its framework can return it: left out of every retry
    Damaged = 32, // its framework damaged the body when it moved the message: what goes back is not what failed
    Shortened = 64, // its framework shortened what it says about the failure
    BrowsedOnly = 128, // only looked at: the original still lies in its queue, so nothing may be done with this record
};
Q_DECLARE_FLAGS(MessageFlags, MessageFlag)
Q_DECLARE_OPERATORS_FOR_FLAGS(MessageFlags)

// Our durable record of one message that failed. Headers and body are read apart (they are large).
struct FailedMessage
{
    core::MessageId id;
    QString uniqueId; // 32 hex digits, the same for every failure of this message
    core::ConnectionId connection;
    QString queue; // where it lay
    QString dialect;
    MessageStatus status = MessageStatus::Unresolved;
    qint64 change = 0; // the store's change number of our last write to it
    QString nativeId; // the broker's own id in that queue
    QString messageId; // the application's id
    QString messageType;
    QString correlationId;
    QString conversationId;
    Failure failure; // the newest
    core::TimePoint firstFailed{};
    core::TimePoint lastFailed{};
    int attempts = 1; // failures seen by this store (exact)
    int cameBack = 0; // of these, after a retry of ours
    Destination destination;
    MessageFlags flags;
    qint64 bodySize = 0;
};

// One failure of one message.
struct ProcessingAttempt
{
    core::TimePoint takenAt{};
    Failure failure;
    QString queue;
};

[[nodiscard]] QString toString(MessageStatus status); // "unresolved", "retryissued", ...: CLI and JSON
[[nodiscard]] std::optional<MessageStatus> messageStatusFrom(QStringView text);

// The five ways to group by cause.
enum class Classifier { ExceptionAndStack, MessageType, EndpointAddress, EndpointName, EndpointInstance };
inline constexpr int classifierCount = 5;
[[nodiscard]] QString toString(Classifier classifier); // "exception", "type", "address", "endpoint", "instance"
[[nodiscard]] std::optional<Classifier> classifierFrom(QStringView text);

} // namespace records
