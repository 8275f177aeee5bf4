// Converts text of a message for an editor and back. A character that is invisible, or that the editor would change,
// appears as its code, such as "‹U+202E›". fromEditable() turns every code back into its character, also a typed one,
// and always restores the original text. Pure functions.
#pragma once

#include <QString>

namespace models {

[[nodiscard]] QString editableLines(const QString &text); // line feeds and tabs stay
[[nodiscard]] QString editableLine(const QString &text);
[[nodiscard]] QString fromEditable(const QString &text);

} // namespace models
