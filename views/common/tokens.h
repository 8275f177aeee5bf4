// The one table of colours. Everything that is painted, by style sheet or by hand, takes its colours from here.
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
    Notice, // ground of a notice
    WarnNotice,
    BadNotice,
};
inline constexpr int tokenCount = int(Token::BadNotice) + 1;

enum class ColorScheme { Light, Dark };

[[nodiscard]] QColor color(Token token, ColorScheme shade);
[[nodiscard]] QString nameOf(Token token); // as the style sheet writes it: @{window}
[[nodiscard]] Token tokenOf(models::Tone tone);

// The application's style sheet and palette of a shade. Text sizes are in pixels and follow the screen's scale.
[[nodiscard]] QString styleSheet(ColorScheme shade);
[[nodiscard]] QPalette palette(ColorScheme shade);

} // namespace views
