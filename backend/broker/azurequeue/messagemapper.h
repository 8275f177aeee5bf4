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

} // namespace broker::azurequeue
