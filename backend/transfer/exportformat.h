// The words of the file format, shared by writer and reader. README.md describes the format.
#pragma once

#include "backend/records/messages/exportedmessage.h"

#include <QStringList>

namespace transfer {

inline constexpr int formatVersion = 1;
// Bytes of one line, so of one message. Writer and reader refuse longer ones: the line is in memory as a whole.
inline constexpr qsizetype longestLine = 128 * 1024 * 1024;
inline constexpr qint64 mostMessages = 10'000'000; // of one file

inline constexpr auto beginField = "redrive_export"; // the first line: the version
inline constexpr auto endField = "redrive_export_end"; // the last line: the number of messages

[[nodiscard]] const QStringList &certaintyWords(); // in the order of records::Certainty
[[nodiscard]] const QStringList &flagWords(); // the first one stands for the lowest bit of records::MessageFlags
[[nodiscard]] const QStringList &brokerWords(); // in the order of records::BrokerKind
[[nodiscard]] const QStringList &statusWords(); // in the order of records::MessageStatus

} // namespace transfer
