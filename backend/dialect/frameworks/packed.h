// SQS allows ten attributes, so frameworks pack their headers into the body there, or into one attribute. Only messages
// with the system attributes of SQS are read this way: on another broker such a body is content.
#pragma once

#include "backend/records/messages/message.h"

#include <optional>

namespace dialect {

// The headers that are packed into a message. Nothing if there are none.
[[nodiscard]] std::optional<records::Headers> packedHeaders(const records::Envelope &envelope);

// The message with these packed headers: those that are missing in `kept` are removed, and changed values are written.
// All other bytes stay.
[[nodiscard]] records::Envelope packedAgain(const records::Envelope &envelope, const records::Headers &kept);

} // namespace dialect
