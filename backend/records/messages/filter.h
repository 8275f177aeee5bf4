#pragma once

#include "backend/core/fields.h"
#include "backend/records/messages/message.h"

#include <QList>

#include <optional>

namespace records {

// Selects failed messages. Each part that is not empty narrows the selection. Lists, retries and archiving use the same
// filter, so that Redrive acts on exactly what it shows.
struct MessageFilter
{
    core::ConnectionId connection; // none: all connections
    QList<core::GroupId> groups; // members of any of these
    QList<core::MessageId> messages; // exactly these
    QList<core::MessageId> except; // left out of the selection
    QString queue;
    std::optional<MessageStatus> status;
    QString search; // case-insensitive substring, 3 characters or more
    QString messageType;
    std::optional<core::TimePoint> since; // failed at or after this time
    std::optional<core::TimePoint> until; // failed before this time
    core::OperationId cameBackFrom; // sent by this operation and failed again

    REDRIVE_FIELDS(connection, groups, messages, except, queue, status, search, messageType, since, until, cameBackFrom)
    friend bool operator==(const MessageFilter &, const MessageFilter &) = default;
};

enum class MessageOrder { LastFailed, Queue, MessageType, ExceptionType, Attempts, Size };
enum class SortDirection { Descending, Ascending };

} // namespace records
