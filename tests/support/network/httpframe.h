#pragma once

#include <QByteArray>

#include <optional>

// Where a message of HTTP/1.1 ends in a stream of them.
namespace support::httpframe {

enum class Of { Request, Answer, AnswerWithoutBody };

// Bytes of the message that `bytes` begin with; nothing: it is not all there, or ends with the connection.
[[nodiscard]] std::optional<qsizetype> sizeOf(const QByteArray &bytes, Of what);

// The value of a header field; empty: there is none.
[[nodiscard]] QByteArray header(const QByteArray &message, const QByteArray &name);

} // namespace support::httpframe
