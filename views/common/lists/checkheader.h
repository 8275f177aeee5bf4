#pragma once

#include <QHeaderView>

namespace views {

class Theme;

// The header of a table with a check column. Its box shows whether all, some or no rows are selected; the table
// decides what a click on it does.
class CheckHeader final : public QHeaderView
{
    Q_OBJECT

public:
    CheckHeader(const Theme &theme, int checkColumn, QWidget *parent = nullptr);

    void setCheckState(Qt::CheckState state);
    [[nodiscard]] Qt::CheckState checkState() const { return m_state; }
    // Only the names of these columns react to the pointer and the mouse button, because only they sort.
    void setSortable(const QList<int> &columns) { m_sortable = columns; }
    [[nodiscard]] int neededWidth(int section) const; // of its name

Q_SIGNALS:
    void checkClicked();

protected:
    void initStyleOptionForIndex(QStyleOptionHeader *option, int logicalIndex) const override;
    void paintSection(QPainter *painter, const QRect &rect, int logicalIndex) const override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    bool viewportEvent(QEvent *event) override; // the tool tip shows a truncated name in full
    void mousePressEvent(QMouseEvent *event) override;

private:
    const Theme &m_theme;
    int m_checkColumn;
    QList<int> m_sortable;
    bool m_pressed = false;
    Qt::CheckState m_state = Qt::Unchecked;
};

} // namespace views
