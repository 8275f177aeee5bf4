#pragma once

#include "backend/records/messages/message.h"

namespace records {

// What a file says about one of its messages. The message itself may not say it: its broker, or a newer program, did.
struct FileFacts
{
    QString messageId;
    QString messageType;
    QString correlationId;
    QString conversationId;
    Failure failure;
    core::TimePoint firstFailed{};
    core::TimePoint lastFailed{};
    Destination destination;

    REDRIVE_FIELDS(messageId, messageType, correlationId, conversationId, failure, firstFailed, lastFailed, destination)
    friend bool operator==(const FileFacts &, const FileFacts &) = default;
};

} // namespace records
