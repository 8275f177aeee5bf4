// Reads the lines of an export. Every byte of them may be hostile. Pure functions for any thread.
#pragma once

#include "backend/core/result.h"
#include "backend/records/messages/exportedmessage.h"

namespace transfer {

// One line of a file, as far as it is valid.
struct Line
{
    enum class Kind { First, Message, Last };
    Kind kind = Kind::Message;
    records::ExportedMessage message{}; // of Message
    qint64 messages = 0; // of Last: how many the file has
};

// Reads a line without its line feed. Rejected: the message says which field is wrong and what to do.
[[nodiscard]] core::Result<Line> lineFrom(const QByteArray &line);

} // namespace transfer
