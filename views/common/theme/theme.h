#pragma once

#include "views/common/theme/tokens.h"

#include <QFont>
#include <QIcon>
#include <QObject>

namespace views {

enum class ThemeMode { System, Light, Dark };

[[nodiscard]] QString toString(ThemeMode mode); // "system", "light", "dark": settings
[[nodiscard]] ThemeMode themeModeFrom(const QString &text); // anything else: System

class SystemColorScheme;

// The look of the whole program: colour scheme, palette, style sheet, fonts and icons. Switches at run time. GUI
// thread.
class Theme final : public QObject
{
    Q_OBJECT

public:
    // Sets the style, fonts and palette of the application.
    explicit Theme(ThemeMode mode, QObject *parent = nullptr);

    void setMode(ThemeMode mode);
    [[nodiscard]] ThemeMode mode() const { return m_mode; }
    [[nodiscard]] ColorScheme shade() const { return m_shade; }
    [[nodiscard]] QColor color(Token token) const { return views::color(token, m_shade); }
    [[nodiscard]] QColor color(models::Tone tone) const { return color(tokenOf(tone)); }

    // An icon of resources/icons. It is drawn in the current colour of the token, also after a change of theme.
    [[nodiscard]] QIcon icon(const QString &name, Token token = Token::Text) const;

    [[nodiscard]] static QFont textFont(); // Inter, 13 px, with fallbacks
    [[nodiscard]] static QFont monoFont(); // DejaVu Sans Mono, 11.5 px, with fallbacks

Q_SIGNALS:
    void changed(); // after palette and style sheet are applied

private:
    void apply();

    ThemeMode m_mode;
    ColorScheme m_shade = ColorScheme::Light;
    SystemColorScheme *m_system;
};

} // namespace views
