// SQS takes ten attributes: frameworks pack their headers into the body there, or into one attribute. Told by what the
// service itself says of a message, since a body on another broker that looks the same is somebody's content.
#pragma once

#include "backend/records/message.h"

#include <optional>

namespace dialect {

// The headers that are packed into a message; nothing: none are.
[[nodiscard]] std::optional<records::Headers> packedHeaders(const records::Envelope &envelope);

// The message with these instead of those that were packed into it: what is not among them any more is taken out, what
// has another value gets it. The rest stays as it was.
[[nodiscard]] records::Envelope packedAgain(const records::Envelope &envelope, const records::Headers &kept);

} // namespace dialect
