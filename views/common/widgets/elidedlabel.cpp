#include "views/common/widgets/elidedlabel.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

namespace views {

ElidedLabel::ElidedLabel(const QString &text, QWidget *parent)
    : PlainLabel(text, parent)
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

QSize ElidedLabel::minimumSizeHint() const
{
    constexpr int letters = 3;
    return {fontMetrics().averageCharWidth() * letters, PlainLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QRect room = contentsRect();
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, room.width());
    style()->drawItemText(&painter, room, int(alignment()) | Qt::TextSingleLine, palette(), isEnabled(), shown,
                          foregroundRole());
}

bool ElidedLabel::event(QEvent *event)
{
    const bool cut = fontMetrics().horizontalAdvance(text()) > contentsRect().width();
    if (event->type() != QEvent::ToolTip || !cut)
        return PlainLabel::event(event);
    QToolTip::showText(static_cast<const QHelpEvent *>(event)->globalPos(), plainToolTip(text()), this);
    return true;
}

} // namespace views

#include "moc_elidedlabel.cpp"
