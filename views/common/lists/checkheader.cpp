#include "views/common/lists/checkheader.h"

#include "views/common/theme/painting.h"
#include "views/common/widgets/plaintext.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleOption>
#include <QToolTip>

#include <algorithm>

namespace views {

CheckHeader::CheckHeader(const Theme &theme, int checkColumn, QWidget *parent)
    : QHeaderView(Qt::Horizontal, parent)
    , m_theme(theme)
    , m_checkColumn(checkColumn)
{
    setSectionsClickable(true);
    setHighlightSections(false);
    setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void CheckHeader::setCheckState(Qt::CheckState state)
{
    if (m_state == state)
        return;
    m_state = state;
    viewport()->update();
}

void CheckHeader::initStyleOptionForIndex(QStyleOptionHeader *option, int logicalIndex) const
{
    QHeaderView::initStyleOptionForIndex(option, logicalIndex);
    if (!m_sortable.contains(logicalIndex))
        option->state &= ~(QStyle::State_MouseOver | QStyle::State_Sunken);
}

void CheckHeader::paintSection(QPainter *painter, const QRect &rect, int logicalIndex) const
{
    painter->save();
    QHeaderView::paintSection(painter, rect, logicalIndex);
    painter->restore();
    if (logicalIndex == m_checkColumn)
        drawCheck(painter, rect, m_state, m_theme);
}

// What the style sheet draws. QHeaderView wants more: in each section room for an arrow as wide as the header is high, and
// the cells would be cut for it.
int CheckHeader::neededWidth(int section) const
{
    constexpr int padding = 8; // this and the arrow: console.qss
    constexpr int arrow = 10; // kept free in each section
    constexpr int rounding = 2;
    const QString name = model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
    QFont bolder = font();
    bolder.setWeight(QFont::Bold);
    return QFontMetrics(bolder).horizontalAdvance(name) + 2 * padding + arrow + rounding;
}

bool CheckHeader::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QHeaderView::viewportEvent(event);
    const auto *help = static_cast<const QHelpEvent *>(event);
    const int section = logicalIndexAt(help->pos());
    const bool cut = section >= 0 && neededWidth(section) > sectionSize(section);
    const QString name = cut ? model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString() : QString();
    QToolTip::showText(help->globalPos(), plainToolTip(name), this);
    return true;
}

void CheckHeader::mousePressEvent(QMouseEvent *event)
{
    m_pressed =
        event->button() == Qt::LeftButton && m_checkColumn >= 0 && logicalIndexAt(event->pos()) == m_checkColumn;
    if (!m_pressed)
        QHeaderView::mousePressEvent(event);
}

void CheckHeader::mouseReleaseEvent(QMouseEvent *event)
{
    if (!m_pressed) {
        QHeaderView::mouseReleaseEvent(event);
        return;
    }
    m_pressed = false;
    if (logicalIndexAt(event->pos()) == m_checkColumn)
        Q_EMIT checkClicked();
}

} // namespace views

#include "moc_checkheader.cpp"
