#pragma once

#include "views/common/plaintipdelegate.h"

namespace views {

class Theme;

// Draws every table: plain text in the colour of its tone, progress bars, sparklines, and in the check column a box that
// mirrors the row selection.
class CellDelegate final : public PlainTipDelegate
{
    Q_OBJECT

public:
    // `checkColumn`: -1 when the table has none.
    CellDelegate(const Theme &theme, int checkColumn, QObject *parent);

    // The row that is shown as the one under the pointer; -1: none.
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
