// Finds invisible characters, for code that shows or edits text. Pure functions.
#pragma once

#include <QString>

namespace models {

// True for a control character, a filler, and a character that changes the text direction or has no width. The window
// shows such a character as its code.
[[nodiscard]] bool isHidden(char32_t c);

// Returns the character at `at` and moves `at` behind it. A surrogate without its partner is returned as it is.
[[nodiscard]] char32_t nextCharacter(const QString &text, qsizetype &at);

} // namespace models
