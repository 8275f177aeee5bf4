#pragma once

#include "views/common/lists/plaintipdelegate.h"

namespace views {

class Theme;

// Draws the cells of every table: plain text in the colour of its tone, progress bars, sparklines, and in the check
// column a box that shows whether the row is selected.
class CellDelegate final : public PlainTipDelegate
{
    Q_OBJECT

public:
    // `checkColumn`: -1 when the table has none.
    CellDelegate(const Theme &theme, int checkColumn, QObject *parent);

    // The row that is drawn as hovered; -1: none.
    [[nodiscard]] int hoveredRow() const { return m_hoveredRow; }
    void setHoveredRow(int row) { m_hoveredRow = row; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    [[nodiscard]] static bool isCurrentRow(const QStyleOptionViewItem &option, const QModelIndex &index);
    void paintText(QPainter *painter, const QRect &room, bool selected, const QModelIndex &index) const;

    const Theme &m_theme;
    int m_checkColumn;
    int m_hoveredRow = -1;
};

} // namespace views
