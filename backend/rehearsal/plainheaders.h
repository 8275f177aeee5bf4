#pragma once

#include "backend/records/messages/headers.h"

namespace rehearsal {

// The same message for the embedded broker, which carries no lists, tables, bytes and nulls in headers: they become
// text. Pure: any thread.
[[nodiscard]] records::Envelope withPlainHeaders(records::Envelope envelope);

} // namespace rehearsal
