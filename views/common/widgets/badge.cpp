#include "views/common/widgets/badge.h"

#include "models/common/text.h"
#include "views/common/theme/theme.h"

#include <QPainter>

namespace views {

namespace {

QFont badgeFont()
{
    QFont font = Theme::textFont();
    font.setPixelSize(10);
    font.setBold(true);
    return font;
}

} // namespace

QColor environmentColor(records::Environment environment)
{
    switch (environment) {
    case records::Environment::Development:
        return color(Token::Ok, ColorScheme::Light);
    case records::Environment::Test:
        return color(Token::Warn, ColorScheme::Light);
    case records::Environment::Production:
        return color(Token::Bad, ColorScheme::Light);
    }
    Q_UNREACHABLE();
}

Badge::Badge(QWidget *parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Badge::show(records::Environment environment)
{
    show(models::textOf(environment), environmentColor(environment));
}

void Badge::showDemo()
{
    show(tr("DEMO"), color(Token::Accent, ColorScheme::Light));
}

void Badge::show(const QString &word, const QColor &ground)
{
    setText(word);
    setStyleSheet(QStringLiteral("background: %1; color: white; border-radius: 3px; padding: 1px 5px; font-size: 10px; "
                                 "font-weight: bold")
                      .arg(ground.name()));
    setVisible(true);
}

QRect drawBadge(QPainter *painter, const QRect &room, records::Environment environment)
{
    constexpr int sidePadding = 5;
    constexpr int height = 16;
    constexpr qreal radius = 3;
    painter->save();
    painter->setFont(badgeFont());
    const QString text = models::textOf(environment);
    const int width = painter->fontMetrics().horizontalAdvance(text) + 2 * sidePadding;
    const QRect rect(room.right() - width + 1, room.center().y() - height / 2 + 1, width, height);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(environmentColor(environment));
    painter->drawRoundedRect(rect, radius, radius);
    painter->setPen(Qt::white);
    painter->drawText(rect, Qt::AlignCenter, text);
    painter->restore();
    return rect;
}

} // namespace views

#include "moc_badge.cpp"
