// SQS allows ten attributes, Storage Queues none, so frameworks pack their headers into the body there, or into one
// attribute; kombu (Celery) does so on Service Bus, too. The body is JSON, as it is or in Base64. Only messages with the
// system attributes of these brokers are read this way: on RabbitMQ such a body is content.
#pragma once

#include "backend/records/messages/message.h"

#include <QJsonObject>

#include <optional>

namespace dialect {

// The headers that are packed into a message. Nothing if there are none.
[[nodiscard]] std::optional<records::Headers> packedHeaders(const records::Envelope &envelope);
// The same for a copy of such a message, which may have lost the attributes of its broker.
[[nodiscard]] std::optional<records::Headers> packedIn(const records::Envelope &copy);
// The JSON object that contains headers and message. Empty if there is none.
[[nodiscard]] QJsonObject packedWhole(const records::Envelope &envelope);

// The message with these packed headers: those that are missing in `kept` are removed, and changed values are written.
// Further ones are added where the headers are JSON. All other bytes stay.
[[nodiscard]] records::Envelope packedAgain(const records::Envelope &envelope, const records::Headers &kept);

} // namespace dialect
