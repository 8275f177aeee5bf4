// One message between the form of the management API and ours.
#pragma once

#include "backend/broker/broker.h"

#include <QCborMap>

namespace broker::rabbitmq {

// An item of a `get`. Where the API shows something else than what lies in the queue (bytes that are not UTF-8, null, integers
// beyond 64 bits) a header is lossy; notFaithful is set for properties, and where the body did not come whole. The origin is
// left open, see waiting.h.
[[nodiscard]] ReceivedMessage heldFrom(const QCborMap &item);

// The digest of what the API shows of a message: properties, headers, body. Equal for copies of one message.
[[nodiscard]] QString digestOf(const records::Envelope &envelope);

// The body of a publish call. Always persistent; `expiration`, `user_id`, CC and BCC are left out: the first would let
// the copy die on the way, the second is refused from another user, the others would deliver it to further queues.
[[nodiscard]] QByteArray publishJson(const records::Envelope &envelope, const QString &routingKey);

} // namespace broker::rabbitmq
