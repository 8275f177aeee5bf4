#pragma once

#include <QHeaderView>

namespace views {

class Theme;

// The header of a table whose check column mirrors the selection: its own box has three states and selects all or none.
class CheckHeader final : public QHeaderView
{
    Q_OBJECT

public:
    CheckHeader(const Theme &theme, int checkColumn, QWidget *parent = nullptr);

    void setCheckState(Qt::CheckState state);
    [[nodiscard]] Qt::CheckState checkState() const { return m_state; }

Q_SIGNALS:
    void checkClicked();

protected:
    void paintSection(QPainter *painter, const QRect &rect, int logicalIndex) const override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    bool viewportEvent(QEvent *event) override; // a name that is cut is told in full
    void mousePressEvent(QMouseEvent *event) override;

private:
    const Theme &m_theme;
    int m_checkColumn;
    bool m_pressed = false;
    Qt::CheckState m_state = Qt::Unchecked;
};

} // namespace views
