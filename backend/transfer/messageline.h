// Writes the lines of an export. Pure functions for any thread.
#pragma once

#include "backend/core/result.h"
#include "backend/records/messages/exportedmessage.h"

namespace transfer {

// Each line ends with a line feed.
[[nodiscard]] QByteArray firstLine(core::TimePoint at);
// Rejected: the message is too large for a line.
[[nodiscard]] core::Result<QByteArray> messageLine(const records::ExportedMessage &message);
[[nodiscard]] QByteArray lastLine(qint64 messages);

} // namespace transfer
