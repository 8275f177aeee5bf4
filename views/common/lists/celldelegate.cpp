#include "views/common/lists/celldelegate.h"

#include "models/common/roles.h"
#include "views/common/theme/painting.h"

#include <QAbstractItemView>
#include <QPainter>

#include <algorithm>

namespace views {

namespace {

constexpr int sidePadding = 8;
constexpr int rowHeight = 30;
constexpr int leastPicture = 80; // of a progress bar or sparkline

} // namespace

CellDelegate::CellDelegate(const Theme &theme, int checkColumn, QObject *parent)
    : PlainTipDelegate(parent)
    , m_theme(theme)
    , m_checkColumn(checkColumn)
{
}

void CellDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    if (selected)
        painter->fillRect(option.rect, m_theme.color(Token::Selection));
    else if (index.row() == m_hoveredRow)
        painter->fillRect(option.rect, m_theme.color(Token::Hover));
    painter->setPen(m_theme.color(Token::Line));
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());

    const QRect room = option.rect.adjusted(sidePadding, 0, -sidePadding, -1);
    if (index.column() == m_checkColumn) {
        drawCheck(painter, option.rect, selected ? Qt::Checked : Qt::Unchecked, m_theme);
    } else if (const QVariant counts = index.data(models::SparklineRole); counts.isValid()) {
        drawSparkline(painter, room, counts.value<QList<int>>(), m_theme);
    } else if (const QVariant fraction = index.data(models::FractionRole); fraction.isValid()) {
        painter->setFont(option.font);
        const auto tone = models::Tone(index.data(models::ToneRole).toInt());
        drawProgress(painter, room, fraction.toDouble(), tone, index.data().toString(), m_theme);
    } else {
        painter->setFont(option.font);
        paintText(painter, room, selected, index);
    }
    if (isCurrentRow(option, index)) {
        painter->setPen(m_theme.color(Token::Accent));
        painter->drawLine(option.rect.topLeft(), option.rect.topRight());
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    }
}

// The keyboard focus marks a whole row, because lists act on rows.
bool CellDelegate::isCurrentRow(const QStyleOptionViewItem &option, const QModelIndex &index)
{
    const auto *table = qobject_cast<const QAbstractItemView *>(option.widget);
    return table != nullptr && table->hasFocus() && table->currentIndex().row() == index.row();
}

void CellDelegate::paintText(QPainter *painter, const QRect &room, bool selected, const QModelIndex &index) const
{
    const auto tone = models::Tone(index.data(models::ToneRole).toInt());
    const bool stale = index.data(models::StaleRole).toBool();
    painter->setPen(selected ? m_theme.color(Token::Text) : m_theme.color(stale ? models::Tone::Muted : tone));
    const int alignment = index.data(Qt::TextAlignmentRole).toInt();
    const QString text = index.data().toString();
    const QVariant cut = index.data(models::ElideRole);
    const auto mode = cut.isValid() ? Qt::TextElideMode(cut.toInt()) : Qt::ElideRight;
    painter->drawText(room, (alignment != 0 ? alignment : int(Qt::AlignLeft | Qt::AlignVCenter)) | Qt::TextSingleLine,
                      painter->fontMetrics().elidedText(text, mode, room.width()));
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QFontMetrics metrics(option.font);
    const int text = metrics.horizontalAdvance(index.data().toString()) + 2 * sidePadding + 2;
    const bool isDrawn = index.data(models::FractionRole).isValid() || index.data(models::SparklineRole).isValid();
    return {isDrawn ? std::max(text, leastPicture) : text, rowHeight};
}

} // namespace views

#include "moc_celldelegate.cpp"
