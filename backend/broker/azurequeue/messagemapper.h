#pragma once

#include "backend/broker/azurequeue/queuexml.h"
#include "backend/broker/broker.h"

namespace broker::azurequeue {

// Converts between our envelopes and the messages of a Storage Queue, which are text and nothing else. Text that is the
// base64 form of readable text (as Azure Functions and older clients write it) is kept decoded, with the property
// Encoding: "base64"; it goes back as exactly the same characters. Any other text is kept as it is.
[[nodiscard]] ReceivedMessage heldFrom(const QueuedMessage &message);

// The text to send. Rejected: the body is not text, or there are headers, which a Storage Queue cannot carry.
[[nodiscard]] core::Result<QString> textFrom(const records::Envelope &envelope);

// A time span of a request: whole seconds, rounded up.
[[nodiscard]] QByteArray seconds(core::Milliseconds time);
// The longest visibility timeout. Source: Put Message, "visibilitytimeout".
inline constexpr core::Milliseconds longestDelay = std::chrono::hours(7 * 24);
// The parameters with which a message is put: it never expires, and is invisible until `deliverAt`.
[[nodiscard]] QByteArray putQuery(std::optional<core::TimePoint> deliverAt, core::TimePoint now);

} // namespace broker::azurequeue
