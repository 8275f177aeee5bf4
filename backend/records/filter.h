#pragma once

#include "backend/records/message.h"

#include <QList>

#include <optional>

namespace records {

// Which failed messages. Every part narrows; an empty part does not. One scope for lists, retries and archiving, so that
// what is shown is what is acted on.
struct MessageFilter
{
    core::ConnectionId connection; // none: all connections
    QList<core::GroupId> groups; // members of any of these
    QList<core::MessageId> messages; // exactly these
    QList<core::MessageId> except; // "everything in this filter except"
    QString queue;
    std::optional<MessageStatus> status;
    QString search; // case-insensitive substring, 3 characters or more
    QString messageType;
    std::optional<core::TimePoint> since; // by time of failure, inclusive
    std::optional<core::TimePoint> until; // exclusive
    core::OperationId cameBackFrom; // returned by this operation and failed again

    friend bool operator==(const MessageFilter &, const MessageFilter &) = default;
};

enum class MessageOrder { LastFailed, Queue, MessageType, ExceptionType, Attempts, Size };
enum class SortDirection { Descending, Ascending };

} // namespace records
