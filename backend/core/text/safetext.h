// Text from outside that goes where people read it: a terminal, a log, a table. Pure functions for any thread.
#pragma once

#include <QString>

namespace core {

// True for a character that can end a line, move a cursor, turn text around or hide: the categories control, format, line
// and paragraph separator, and half of a surrogate pair.
[[nodiscard]] bool isUnsafe(char32_t character);
// The text with U+FFFD in place of each unsafe character, except the ASCII ones in `kept`.
[[nodiscard]] QString safeText(const QString &text, QStringView kept = {});

// A text from outside as one word of a command line that a person may copy into a shell.
[[nodiscard]] QString shellWord(const QString &text);

} // namespace core
