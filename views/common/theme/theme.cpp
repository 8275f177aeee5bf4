#include "views/common/theme/theme.h"

#include "views/common/accessibility.h"
#include "views/common/theme/resources.h"
#include "views/common/theme/systemcolorscheme.h"
#include "views/common/theme/themedicon.h"

#include <QApplication>
#include <QFontDatabase>
#include <QScreen>
#include <QStyleFactory>

namespace views {

QString toString(ThemeMode mode)
{
    switch (mode) {
    case ThemeMode::System:
        return QStringLiteral("system");
    case ThemeMode::Light:
        return QStringLiteral("light");
    case ThemeMode::Dark:
        return QStringLiteral("dark");
    }
    Q_UNREACHABLE();
}

ThemeMode themeModeFrom(const QString &text)
{
    if (text == QLatin1String("light"))
        return ThemeMode::Light;
    return text == QLatin1String("dark") ? ThemeMode::Dark : ThemeMode::System;
}

Theme::Theme(ThemeMode mode, QObject *parent)
    : QObject(parent)
    , m_mode(mode)
    , m_system(new SystemColorScheme(this))
{
    initResources();
    new Accessibility(this);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setFont(textFont());
    connect(m_system, &SystemColorScheme::changed, this, [this] {
        if (m_mode == ThemeMode::System)
            apply();
    });
    apply();
}

void Theme::setMode(ThemeMode mode)
{
    if (m_mode == mode)
        return;
    m_mode = mode;
    apply();
}

void Theme::apply()
{
    switch (m_mode) {
    case ThemeMode::System:
        m_shade = m_system->shade();
        break;
    case ThemeMode::Light:
        m_shade = ColorScheme::Light;
        break;
    case ThemeMode::Dark:
        m_shade = ColorScheme::Dark;
        break;
    }
    QApplication::setPalette(palette(m_shade));
    qApp->setStyleSheet(styleSheet(m_shade));
    Q_EMIT changed();
}

QIcon Theme::icon(const QString &name, Token token) const
{
    return QIcon(new ThemedIcon(*this, name, token));
}

QFont Theme::textFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    font.setFamilies({QStringLiteral("Inter"), QStringLiteral("Noto Sans"), font.family()});
    font.setPixelSize(13);
    return font;
}

QFont Theme::monoFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setFamilies({QStringLiteral("DejaVu Sans Mono"), QStringLiteral("Noto Sans Mono"), font.family()});
    // Qt takes only whole numbers of pixels, so half a pixel needs a size in points.
    constexpr double pixels = 11.5;
    constexpr double pointsPerInch = 72;
    const QScreen *screen = QGuiApplication::primaryScreen();
    const double dotsPerInch = screen != nullptr ? screen->logicalDotsPerInchY() : 96;
    font.setPointSizeF(pixels * pointsPerInch / dotsPerInch);
    font.setStyleHint(QFont::Monospace);
    return font;
}

} // namespace views

#include "moc_theme.cpp"
