#pragma once

#include "views/common/theme.h"

#include <QWidget>

class QDockWidget;
class QHBoxLayout;
class QToolButton;

namespace views {

// The head of a dock: its name, what its content wants to add, and the ways to undock and close it.
class DockTitle final : public QWidget
{
    Q_OBJECT

public:
    DockTitle(const Theme &theme, QDockWidget *dock);

    void addAction(QAction *action); // a small button
    void addWidget(QWidget *widget); // between name and buttons

private:
    [[nodiscard]] QToolButton *button();

    QHBoxLayout *m_layout;
    int m_place; // where the next addition goes
};

// A dock with that title whose visibility is told to its content.
QDockWidget *makeDock(const Theme &theme, const QString &objectName, const QString &title, QWidget *content,
                      QWidget *parent);

} // namespace views
