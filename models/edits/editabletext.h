// Text of a message in an editor. A character that nobody sees, or that an editor would change, is written there as what it
// is, "‹U+202E›", and read back as that character; who types such a thing gets the character. fromEditable() of what these
// two return is always the text itself.
#pragma once

#include <QString>

namespace models {

[[nodiscard]] QString editableLines(const QString &text); // line feeds and tabs stay
[[nodiscard]] QString editableLine(const QString &text);
[[nodiscard]] QString fromEditable(const QString &text);

} // namespace models
