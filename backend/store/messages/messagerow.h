#pragma once

#include "backend/records/messages/message.h"
#include "backend/store/messages/groupcounters.h"
#include "backend/store/messages/messagestore.h"

namespace store {

class Database;
class Statement;

// The columns of a failed message in lists, in the order that readMessage expects, from messageTables().
[[nodiscard]] const QString &messageColumns();
inline constexpr int messageColumnCount = 26;

// failed_message as m with its destination as d.
[[nodiscard]] const QString &messageTables();

// Reads the current row from column `first` on. The exception message is cut to limits::listTextChars and the stack
// trace is empty; the whole texts are in the newest attempt.
[[nodiscard]] records::FailedMessage readMessage(const Statement &row, int first = 0);

// The key of an attempt: each message has attemptsKept places, used in turn.
[[nodiscard]] qint64 attemptKey(core::MessageId message, qint64 number);

// Newest first, at most limits::attemptsKept.
[[nodiscard]] core::Result<QList<records::ProcessingAttempt>> readAttempts(Database &database, core::MessageId id);

// With the complete newest failure and its conventions. NotFound: no such message.
[[nodiscard]] core::Result<records::FailedMessage> loadMessage(Database &database, core::MessageId id);

// Headers and body. A body of more than `most` bytes is cut; nothing: never cut. NotFound: no such message.
[[nodiscard]] core::Result<records::Envelope> loadEnvelope(Database &database, core::MessageId id,
                                                           std::optional<qint64> most = {});
// Everything that is needed to send the message back. NotFound: no such message.
[[nodiscard]] core::Result<Original> loadOriginal(Database &database, core::MessageId id);

// What only the history of this record tells, to read the message again.
[[nodiscard]] Result<MessagePast> readPast(Database &database, const records::FailedMessage &record);

// The form in the store: empty for a receipt that says nothing.
[[nodiscard]] QByteArray receiptToCbor(const records::Receipt &receipt);
[[nodiscard]] records::Receipt receiptFrom(const QByteArray &cbor);

// The ids in the first column of a query.
[[nodiscard]] Result<QList<core::MessageId>> readIds(Statement &rows);

} // namespace store
