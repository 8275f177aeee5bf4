#pragma once

#include "backend/records/message.h"
#include "backend/store/messagestore.h"
#include "backend/store/sqlite/groupcounters.h"

namespace store {

class Database;
class Statement;

// The columns of a failed message in lists, in the order that readMessage expects them. From messageTables().
[[nodiscard]] const QString &messageColumns();
inline constexpr int messageColumnCount = 26;

// failed_message as m with its destination as d.
[[nodiscard]] const QString &messageTables();

// The current row, from column `first` on. The exception message is cut to limits::listTextChars, the stack trace is empty:
// whole ones are in the newest attempt.
[[nodiscard]] records::FailedMessage readMessage(const Statement &row, int first = 0);

// The key of an attempt: attemptsKept places for each message, used in turn.
[[nodiscard]] qint64 attemptKey(core::MessageId message, qint64 number);

// Newest first, at most limits::attemptsKept.
[[nodiscard]] core::Result<QList<records::ProcessingAttempt>> readAttempts(Database &database, core::MessageId id);

// With the whole newest failure. NotFound.
[[nodiscard]] core::Result<records::FailedMessage> loadMessage(Database &database, core::MessageId id);

// Headers and body. NotFound. A body of more than `most` bytes is cut; nothing: whole.
[[nodiscard]] core::Result<records::Envelope> loadEnvelope(Database &database, core::MessageId id,
                                                           std::optional<qint64> most = {});
// The whole message as it is carried back. NotFound.
[[nodiscard]] core::Result<Original> loadOriginal(Database &database, core::MessageId id);

// Of a question whose first column is the id.
[[nodiscard]] Result<QList<core::MessageId>> readIds(Statement &rows);

} // namespace store
