#pragma once

#include "views/common/theme/theme.h"

#include <QWidget>

class QDockWidget;
class QHBoxLayout;
class QToolButton;

namespace views {

// The title bar of a dock: its name, added actions and widgets, and the buttons to undock and hide it. GUI thread.
class DockTitle final : public QWidget
{
    Q_OBJECT

public:
    DockTitle(const Theme &theme, QDockWidget *dock);

    void addAction(QAction *action); // adds a small button
    void addWidget(QWidget *widget); // adds it between name and buttons

private:
    [[nodiscard]] QToolButton *button();

    QHBoxLayout *m_layout;
    int m_place; // layout index of the next addition
};

// Makes a dock with such a title bar around `content`.
QDockWidget *makeDock(const Theme &theme, const QString &objectName, const QString &title, QWidget *content,
                      QWidget *parent);

} // namespace views
