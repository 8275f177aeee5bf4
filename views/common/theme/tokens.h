// The table of colours. Style sheet and painting code take all colours from here.
#pragma once

#include "models/common/roles.h"

#include <QColor>
#include <QPalette>
#include <QString>

namespace views {

enum class Token {
    Window,
    Panel,
    Line,
    Text,
    Muted,
    Ok,
    Warn,
    Bad,
    Selection,
    Accent,
    Button, // the one primary button
    ButtonHover,
    ButtonText,
    Hover,
    Track, // of a progress bar
    BarRunning, // its filled part
    BarDone,
    Notice, // background of a notice
    WarnNotice,
    BadNotice,
};
inline constexpr int tokenCount = int(Token::BadNotice) + 1;

enum class ColorScheme { Light, Dark };

[[nodiscard]] QColor color(Token token, ColorScheme shade);
[[nodiscard]] QString nameOf(Token token); // as in the style sheet: @{window}
[[nodiscard]] Token tokenOf(models::Tone tone);

// The style sheet and the palette of a colour scheme. Text sizes are in pixels and follow the scale of the screen.
[[nodiscard]] QString styleSheet(ColorScheme shade);
[[nodiscard]] QPalette palette(ColorScheme shade);

} // namespace views
