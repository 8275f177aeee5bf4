// Converts one message between the form of the management API and ours.
#pragma once

#include "backend/broker/broker.h"

#include <QCborMap>

namespace broker::rabbitmq {

// Reads an item of a `get`. A header is lossy if the API does not show its real value (bytes that are not UTF-8, null,
// integers beyond 64 bits, nested too deep, an id of AMQP 1.0 that is no longer one). A number that may be an AMQP decimal is in maybeDecimals. notFaithful is set if
// that is true of a property, or if the body is not complete. The
// origin stays empty: see waiting.h.
[[nodiscard]] ReceivedMessage heldFrom(const QCborMap &item);

// Digest of what the API shows of a message: properties, headers, routing key, body. Equal for copies of one message.
[[nodiscard]] QString digestOf(const records::Envelope &envelope);

// The body of a publish call. Always persistent. Left out: `expiration`, because the copy could expire on the way;
// `user_id`, because RabbitMQ refuses another user's; CC and BCC, because they would deliver it to further queues.
[[nodiscard]] QByteArray publishJson(const records::Envelope &envelope, const QString &routingKey);

} // namespace broker::rabbitmq
