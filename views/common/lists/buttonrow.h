#pragma once

#include <QList>
#include <QSet>
#include <QWidget>

class QHBoxLayout;
class QMenu;
class QPushButton;

namespace views {

// Buttons in one row. Where they have no room, the last ones are entries in the menu of a button "More". GUI thread.
class ButtonRow final : public QWidget
{
    Q_OBJECT

public:
    explicit ButtonRow(QWidget *parent = nullptr);

    void add(QPushButton *button);
    // Use this in place of setVisible(), which this row calls itself.
    void setOffered(QPushButton *button, bool offered);
    [[nodiscard]] QSize sizeHint() const override; // of all that are offered
    [[nodiscard]] QSize minimumSizeHint() const override; // of the first one and "More"

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fold();
    void fillMenu();
    [[nodiscard]] QList<QPushButton *> offered() const;
    [[nodiscard]] int widthWith(const QPushButton *button) const; // and the gap before it

    QHBoxLayout *m_layout;
    QPushButton *m_more;
    QMenu *m_menu;
    QList<QPushButton *> m_buttons;
    QSet<QPushButton *> m_withheld;
};

} // namespace views
