#include "views/common/theme/painting.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace views {

namespace {

constexpr int checkSide = 14;

QRect centred(const QRect &cell, QSize size)
{
    QRect rect(QPoint(0, 0), size);
    rect.moveCenter(cell.center());
    return rect;
}

} // namespace

void drawCheck(QPainter *painter, const QRect &cell, Qt::CheckState state, const Theme &theme)
{
    const QRectF box = QRectF(centred(cell, {checkSide, checkSide})).adjusted(0.5, 0.5, -0.5, -0.5);
    constexpr qreal radius = 3;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool filled = state != Qt::Unchecked;
    painter->setPen(QPen(theme.color(filled ? Token::Button : Token::Muted), 1));
    painter->setBrush(theme.color(filled ? Token::Button : Token::Panel));
    painter->drawRoundedRect(box, radius, radius);
    painter->setPen(QPen(theme.color(Token::ButtonText), 1.7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    const QPointF c = box.center();
    if (state == Qt::Checked)
        painter->drawPolyline(QPolygonF{c + QPointF(-3.2, 0.2), c + QPointF(-0.8, 2.6), c + QPointF(3.4, -2.4)});
    else if (state == Qt::PartiallyChecked)
        painter->drawLine(c + QPointF(-3.2, 0), c + QPointF(3.2, 0));
    painter->restore();
}

void drawProgress(QPainter *painter, const QRect &cell, double fraction, models::Tone tone, const QString &text,
                  const Theme &theme)
{
    constexpr int height = 15;
    constexpr qreal radius = 3;
    const QRectF bar(centred(cell, {cell.width(), height}));
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    QPainterPath outline;
    outline.addRoundedRect(bar, radius, radius);
    painter->fillPath(outline, theme.color(Token::Track));
    painter->setClipPath(outline);
    QRectF filled = bar;
    filled.setWidth(bar.width() * std::clamp(fraction, 0.0, 1.0));
    const Token fill = tone == models::Tone::Ok     ? Token::BarDone
                       : tone == models::Tone::Warn ? Token::WarnNotice
                                                    : Token::BarRunning;
    painter->fillRect(filled, theme.color(fill));
    painter->setClipping(false);
    QFont font = painter->font();
    font.setPixelSize(11);
    font.setWeight(QFont::DemiBold);
    painter->setFont(font);
    painter->setPen(theme.color(Token::Text));
    constexpr qreal inset = 4;
    painter->drawText(bar, Qt::AlignCenter,
                      painter->fontMetrics().elidedText(text, Qt::ElideRight, int(bar.width() - inset)));
    painter->restore();
}

void drawSparkline(QPainter *painter, const QRect &cell, const QList<int> &counts, const Theme &theme)
{
    if (counts.size() < 2)
        return;
    constexpr int topAndBottom = 7;
    const QRectF room = QRectF(cell).adjusted(0, topAndBottom, 0, -topAndBottom);
    const int most = std::max(1, *std::max_element(counts.cbegin(), counts.cend()));
    QPolygonF line;
    for (qsizetype i = 0; i < counts.size(); ++i) {
        const qreal x = room.left() + room.width() * qreal(i) / qreal(counts.size() - 1);
        const qreal y = room.bottom() - room.height() * qreal(counts.at(i)) / qreal(most);
        line.append(QPointF(x, y));
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(theme.color(Token::Bad), 1.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->drawPolyline(line);
    painter->restore();
}

} // namespace views
