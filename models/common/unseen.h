// Which characters nobody sees; for who shows text or lets it be edited.
#pragma once

#include <QString>

namespace models {

// A control character, one that turns the direction of text or has no width, or a filler: shown as what it is.
[[nodiscard]] bool isHidden(char32_t c);

// The character at that place, which moves behind it; half of a pair stands for itself.
[[nodiscard]] char32_t nextCharacter(const QString &text, qsizetype &at);

} // namespace models
