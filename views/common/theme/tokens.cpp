#include "views/common/theme/tokens.h"

#include <QFile>

#include <array>

namespace views {

namespace {

struct Row
{
    Token token;
    const char *name;
    QRgb light;
    QRgb dark;
};

constexpr std::array<Row, tokenCount> table{{
    {Token::Window, "window", 0xfff6f7f9, 0xff14181d},
    {Token::Panel, "panel", 0xffffffff, 0xff1b2027},
    {Token::Line, "line", 0xffd9dde3, 0xff343b45},
    {Token::Text, "text", 0xff1f2933, 0xffe6e9ee},
    {Token::Muted, "muted", 0xff64707f, 0xff9aa4b2}, // contrast of 4.5 to 1, also on the window (WCAG 2.1 AA)
    {Token::Ok, "ok", 0xff15803d, 0xff4ade80},
    {Token::Warn, "warn", 0xffb45309, 0xfffbbf24},
    {Token::Bad, "bad", 0xffb91c1c, 0xfff87171},
    {Token::Selection, "selection", 0xffdbe7ff, 0xff24406e},
    {Token::Accent, "accent", 0xff2563eb, 0xff60a5fa},
    {Token::Button, "button", 0xff2563eb, 0xff2563eb},
    {Token::ButtonHover, "buttonhover", 0xff1d4fd7, 0xff3b76f0},
    {Token::ButtonText, "buttontext", 0xffffffff, 0xffffffff},
    {Token::Hover, "hover", 0xffeef1f5, 0xff252b34},
    {Token::Track, "track", 0xffe6e9ef, 0xff2b323c},
    {Token::BarRunning, "barrunning", 0xff85b0ff, 0xff2f5fae},
    {Token::BarDone, "bardone", 0xffb7e4c7, 0xff1f5a37},
    {Token::Notice, "notice", 0xffeaf1ff, 0xff1d2a40},
    {Token::WarnNotice, "warnnotice", 0xfffdf3e0, 0xff3a2e14},
    {Token::BadNotice, "badnotice", 0xfffdeaea, 0xff3f1f22},
}};

} // namespace

QColor color(Token token, ColorScheme shade)
{
    const Row &row = table.at(size_t(token));
    Q_ASSERT(row.token == token);
    return QColor::fromRgb(shade == ColorScheme::Light ? row.light : row.dark);
}

QString nameOf(Token token)
{
    return QString::fromLatin1(table.at(size_t(token)).name);
}

Token tokenOf(models::Tone tone)
{
    switch (tone) {
    case models::Tone::Normal:
        return Token::Text;
    case models::Tone::Muted:
        return Token::Muted;
    case models::Tone::Ok:
        return Token::Ok;
    case models::Tone::Warn:
        return Token::Warn;
    case models::Tone::Bad:
        return Token::Bad;
    case models::Tone::Accent:
        return Token::Accent;
    }
    Q_UNREACHABLE();
}

QString styleSheet(ColorScheme shade)
{
    QFile file(QStringLiteral(":/theme/console.qss"));
    const bool opened = file.open(QIODevice::ReadOnly);
    Q_ASSERT(opened);
    QString sheet = opened ? QString::fromUtf8(file.readAll()) : QString();
    for (const Row &row : table)
        sheet.replace(QStringLiteral("@{%1}").arg(nameOf(row.token)), color(row.token, shade).name());
    sheet.replace(QStringLiteral("@{shade}"),
                  shade == ColorScheme::Light ? QStringLiteral("light") : QStringLiteral("dark"));
    return sheet;
}

QPalette palette(ColorScheme shade)
{
    const auto of = [shade](Token token) { return color(token, shade); };
    QPalette palette;
    palette.setColor(QPalette::Window, of(Token::Window));
    palette.setColor(QPalette::WindowText, of(Token::Text));
    palette.setColor(QPalette::Base, of(Token::Panel));
    palette.setColor(QPalette::AlternateBase, of(Token::Window));
    palette.setColor(QPalette::Text, of(Token::Text));
    palette.setColor(QPalette::PlaceholderText, of(Token::Muted));
    palette.setColor(QPalette::Button, of(Token::Panel));
    palette.setColor(QPalette::ButtonText, of(Token::Text));
    palette.setColor(QPalette::BrightText, of(Token::Bad));
    palette.setColor(QPalette::Highlight, of(Token::Selection));
    palette.setColor(QPalette::HighlightedText, of(Token::Text));
    palette.setColor(QPalette::Link, of(Token::Accent));
    palette.setColor(QPalette::LinkVisited, of(Token::Accent));
    palette.setColor(QPalette::ToolTipBase, of(Token::Panel));
    palette.setColor(QPalette::ToolTipText, of(Token::Text));
    palette.setColor(QPalette::Light, of(Token::Panel));
    palette.setColor(QPalette::Mid, of(Token::Line));
    palette.setColor(QPalette::Dark, of(Token::Line));
    palette.setColor(QPalette::Shadow, of(Token::Line));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, of(Token::Muted));
    return palette;
}

} // namespace views
