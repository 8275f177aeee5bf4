#pragma once

#include "backend/broker/azurequeue/queuexml.h"
#include "backend/broker/broker.h"

namespace broker::azurequeue {

// Between our envelopes and a message of a Storage Queue, which is a text and nothing else. Text that is the base64 form of
// readable text (what Azure Functions and older clients write) is kept as what it says, with the property Encoding: "base64";
// it goes back as exactly the same characters. Everything else is kept as it is.
[[nodiscard]] ReceivedMessage heldFrom(const QueuedMessage &message);

// Rejected: no text, or headers that a Storage Queue cannot carry.
[[nodiscard]] core::Result<QString> textFrom(const records::Envelope &envelope);

} // namespace broker::azurequeue
